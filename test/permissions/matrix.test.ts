// Makes every endpoint's sample call as every role. Calls about a channel are made with every relation to
// every kind of channel. The outcomes are compared with the tables in expected/. What no table may allow is
// checked apart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditedCalls, idleSamples, looking, unauditedCalls } from "./audited.ts";
import { SampleCaller, type Step } from "./caller.ts";
import {
  type Kind,
  kinds,
  readsMessage,
  relations,
  type Standing,
  seesChannel,
  standings,
} from "./expected-access.ts";
import { buildFixture, type Copy, type Fixture } from "./fixture.ts";
import { type Role, roles } from "./people.ts";
import { channelKeys, idsUsedBy, messageKeys, type Sample } from "./sample-call.ts";
import { arrangements, samples } from "./samples.ts";
import { ADVICE, type Cell, readBlocks, type Table, withoutWords, writeBlocks, writeTable } from "./table.ts";

/**
 * `missing`: adds tables that are not there; names of endpoints: writes these again; `all`: writes everything
 * again.
 */
const toWrite = process.env.PARLEY_WRITE_PERMISSIONS?.split(",") ?? [];
const blocks = readBlocks();
let fixture: Fixture;
/** For calls that change nothing. */
let shared: Copy;

beforeAll(async () => {
  fixture = await buildFixture();
  shared = await fixture.open();
}, 120_000);

afterAll(async () => {
  if (toWrite.length > 0) writeBlocks(samples, blocks);
  await shared?.close();
  await fixture?.close();
});

describe("each endpoint may be called by the people that docs/permissions.md names", () => {
  test.each(samples.map((sample) => [sample.name, sample] as const))(
    "%s",
    async (name, sample) => {
      const { table, problems } = await walk(sample);
      const block = writeTable(table);
      const isMissing = !blocks.has(name);
      if (toWrite.includes(name) || toWrite.includes("all") || (isMissing && toWrite.includes("missing"))) {
        blocks.set(name, block);
      }
      const expected = blocks.get(name) ?? `no table yet; ${ADVICE}`;
      expect(withoutWords(block)).toBe(withoutWords(expected));
      expect(problems).toEqual([]);
    },
    60_000,
  );
});

test("there is no table for an endpoint that was removed", () => {
  const gone = [...blocks.keys()].filter((name) => !samples.some((sample) => sample.name === name));
  for (const name of gone) if (toWrite.length > 0) blocks.delete(name);
  expect(toWrite.length > 0 ? [] : gone, "node tools/permissions.js --write removes them").toEqual([]);
});

test("every call that changes something is in the audit log, or is listed with the reason why not", () => {
  const changing = samples.filter(({ endpoint }) => endpoint.method !== "GET").map(({ name }) => name);
  const listed = [...Object.keys(auditedCalls), ...Object.keys(unauditedCalls)];
  expect(listed.sort(), "test/permissions/audited.ts").toEqual(changing.sort());
});

test("what only administrators or owners may change is in the audit log", () => {
  const administrative = samples.filter(
    ({ endpoint }) => endpoint.method !== "GET" && /administrator|owner/.test(endpoint.access),
  );
  const changing = administrative.filter(({ name }) => unauditedCalls[name] !== looking);
  expect(changing.filter(({ name }) => auditedCalls[name] === undefined)).toEqual([]);
});

interface Walk {
  table: Table;
  /** Problems that no table may allow. */
  problems: string[];
}

async function walk(sample: Sample): Promise<Walk> {
  const used = idsUsedBy(sample);
  const namesMessage = messageKeys.some((key) => used.has(key));
  const isInChannel = namesMessage || channelKeys.some((key) => used.has(key));
  const walked = namesMessage ? standings : relations;
  const arrangement = arrangements[sample.name];
  const isReading = sample.endpoint.method === "GET" && arrangement === undefined;
  const copy = isReading ? shared : await fixture.open();
  if (arrangement) await copy.services.database.query(arrangement);
  const caller = new SampleCaller(fixture, sample, copy, { used, isReading });
  const before = await copy.heads();
  try {
    const rows = [];
    for (const role of roles) {
      const columns: Cell[][] = [];
      for (const kind of isInChannel ? kinds : [undefined]) {
        const steps = kind ? stepsIn(role, kind, walked, namesMessage) : [stepOf(role)];
        const cells: Cell[] = [];
        if (isReading) cells.push(...(await Promise.all(steps.map((step) => caller.cell(step)))));
        else for (const step of steps) cells.push(await caller.cell(step));
        columns.push(cells);
      }
      rows.push({ role, columns });
    }
    if (isReading && (await copy.heads()) !== before)
      caller.problems.push("it changes something, which GET may not");
    const isAudited = auditedCalls[sample.name] !== undefined && idleSamples[sample.name] === undefined;
    if (isAudited && caller.auditedCount === 0)
      caller.problems.push("nobody's call left an entry in the audit log");
    return { table: { sample, columns: isInChannel ? kinds : [""], rows }, problems: caller.problems };
  } finally {
    if (!isReading) await copy.close();
  }
}

function stepsIn(role: Role, kind: Kind, walked: readonly Standing[], namesMessage: boolean): Step[] {
  return fixture.places
    .filter((place) => place.role === role && place.kind === kind && walked.includes(place.standing))
    .map(({ standing, things, unreadable }) => ({
      role,
      title: `${role}, ${kind}, ${standing.relation} (${standing.message})`,
      things,
      unreadable,
      mayKnow: namesMessage ? readsMessage(role, kind, standing) : seesChannel(role, kind, standing),
      isPlaced: true,
    }));
}

function stepOf(role: Role): Step {
  const unreadable = fixture.places
    .filter((place) => place.role === role)
    .flatMap((place) => place.unreadable);
  return {
    role,
    title: role,
    things: fixture.thingsOf(role),
    unreadable,
    mayKnow: role !== "stranger",
    isPlaced: false,
  };
}
