/**
 * A year of a small company: what people do in a month, twelve times, and all that the server cleans up
 * meanwhile. Afterwards each table and each folder has what docs/what-is-kept.md says, and no more.
 *
 * The clock stays, and the rows move: the times of all rows, files and queues become older. Half of the rules
 * compare with `now()` of the database, whose clock is the machine's, and the other half with the process's.
 * A false clock of the process alone would contradict the database, and both are compared within one rule.
 * What projections have in memory keeps its time.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kept } from "../../server/administration/kept/tables.ts";
import { deactivateOrganization } from "../../server/organization/deactivate.ts";
import { permitEmailChanges } from "../../server/people/update/permit-email-changes.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { addRosa } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { aMonth, type Company, personal } from "./habits.ts";
import { momentary, RETENTION_DAYS, rules } from "./rules.ts";
import { pass, work } from "./travel.ts";

const MONTHS = 12;
/** In hours: what is short has ended after the first, and the last two end the grace of old messages. */
const STEPS = [26, 27 * 24, 12, 13];

type Counts = Record<string, number>;

let harness: Harness;
/** The rows of each table at the end of each month. */
const ends: Counts[] = [];
/** The most rows that a table had at any time. */
const most: Counts = {};
/** What was older than its rule, when it should have been gone. */
const late: string[] = [];

beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off", PARLEY_OUTGOING_ALLOW: "127.0.0.1" });
  const company = await found();
  for (let month = 0; month < MONTHS; month++) {
    await aMonth(company, month);
    if (month === 2) await leave(company);
    note(await countRows());
    for (const hours of STEPS) {
      await work(harness);
      note(await countRows());
      await pass(harness, hours);
    }
    await work(harness);
    late.push(...(await findLate()).map((what) => `month ${month}: ${what}`));
    ends.push(note(await countRows()));
  }
}, 600_000);
afterAll(() => harness.close());

async function found(): Promise<Company> {
  const ada = harness.as("ada");
  await expectSuccess(ada.patch("/realm", { invite_required: false }));
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, harness.user("ada").user, true));
  const keptChannel = await harness.channel("soups", ["ada", "ben", "dev", "elin", "echo"]);
  const limited = await harness.channel("months", ["ada", "dev", "elin"], {
    messageRetentionDays: RETENTION_DAYS,
  });
  const rosaId = await addRosa(harness);
  const bot = { full_name: "Helper", short_name: "helper", bot_type: 3, payload_url: "http://127.0.0.1:9/" };
  const { user_id } = await expectSuccess(
    harness.as("dev").post("/bots", { ...bot, payload_url: JSON.stringify(bot.payload_url) }),
  );
  const cooks = { name: "cooks", description: "", members: [harness.user("elin").id] };
  const { group_id } = await expectSuccess(ada.post("/user_groups/create", cooks));
  return { harness, kept: keptChannel.id, limited: limited.id, bot: user_id, group: group_id, rosaId };
}

/** Somebody leaves, and so does a whole organization, with everything that they had begun. */
async function leave({ kept: channel }: Company): Promise<void> {
  await personal(harness, "cleo", channel, 100);
  await expectSuccess(harness.as("ada").delete(`/users/${harness.user("cleo").id}`));
  const { id: theirs } = await expectSuccess(
    harness.as("zed").post("/channels/create", { name: "theirs", subscribers: [harness.user("zed").id] }),
  );
  await personal(harness, "zed", theirs, 100);
  await runStateChange(harness.otherState, deactivateOrganization);
}

async function countRows(): Promise<Counts> {
  const tables = [...Object.keys(kept), "graphile_worker._private_jobs"];
  const texts = tables.map((table) => `select '${table}' as name, count(*)::int as count from ${table}`);
  const { rows } = await harness.services.database.transaction(({ client }) =>
    client.query<{ name: string; count: number }>(texts.join(" union all ")),
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

function note(counts: Counts): Counts {
  for (const [table, count] of Object.entries(counts)) most[table] = Math.max(most[table] ?? 0, count);
  return counts;
}

async function findLate(): Promise<string[]> {
  const texts = Object.entries(rules).map(
    ([name, { since, days, table = name }]) =>
      `select '${name}' as name, count(*)::int as count from ${table}
      where (${since}) < now() - ${days} * interval '1 day'`,
  );
  const { rows } = await harness.services.database.transaction(({ client }) =>
    client.query<{ name: string; count: number }>(texts.join(" union all ")),
  );
  return rows.filter(({ count }) => count > 0).map(({ name, count }) => `${count} of ${name}`);
}

test("each table has a rule: its rows end, grow with what people do, or stay about as many", () => {
  const withJob = Object.entries(kept).flatMap(([table, { job }]) => (job === undefined ? [] : [table]));
  for (const table of withJob) expect(Object.keys(rules), table).toContain(table);
});

test("what ends after a time has no row that is older", () => {
  expect(late).toEqual([]);
});

test("each kind of rows that end was there during the year", () => {
  const tables = Object.entries(rules).map(([name, { table = name }]) => table);
  const never = tables.filter((table) => (most[table] ?? 0) === 0 && !momentary.has(table));
  expect(never).toEqual([]);
});

test("what grows does so by no more in a later month than in an earlier one", () => {
  const by = (table: string, month: number) =>
    (ends[month]?.[table] as number) - (ends[month - 1]?.[table] as number);
  const faster = Object.keys(kept).flatMap((table) => {
    const months = Array.from({ length: MONTHS - 1 }, (_, index) => by(table, index + 1));
    const [early, after] = [Math.max(...months.slice(0, 5)), months.slice(5)];
    return Math.max(...after) > early ? [`${table}: ${months}`] : [];
  });
  expect(faster).toEqual([]);
});

test("what does not grow by design has as many rows at the end of the year as after half of it", () => {
  const growing = Object.entries(kept).flatMap(([table, { grows }]) => {
    const counts = ends.map((each) => each[table] as number);
    // What is kept for longer than half of the year has nothing to lose yet.
    const isYoung = (rules[table]?.days ?? 0) > 183;
    return !grows && !isYoung && (counts.at(-1) as number) > (counts[5] as number)
      ? [`${table}: ${counts}`]
      : [];
  });
  expect(growing).toEqual([]);
});

test("each file is one that a row names", async () => {
  const { files, config, database } = harness.services;
  const stored: string[] = [];
  for await (const { key } of files.list()) stored.push(key);
  const named = await database.query<{ key: string }>(sql`
    select storage_key as key from uploads
    union all select file_key from exports where file_key is not null
    union all select organization_id || '/external/' || file_name from external_images`);
  expect(stored.sort()).toEqual(named.map(({ key }) => key).sort());
  const partial = await readdir(path.join(config.files as string, ".temporary", "partial"));
  expect(partial).toEqual([]);
  const temporary = await readdir(path.join(config.files as string, ".temporary"));
  expect(temporary).toEqual(["partial"]);
});

test("the queues of who never came back are gone from the memory, too", () => {
  expect(queuesOf(harness.state).byId.size).toBe(0);
  expect(queuesOf(harness.otherState).byId.size).toBe(0);
  expect(harness.services.queues.count).toBe(0);
});

test("jobs that wait or have failed for good are no more at the end of the year than after half of it", () => {
  const counts = ends.map((each) => each["graphile_worker._private_jobs"] as number);
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts.at(-1)).toBeLessThanOrEqual(counts[5] as number);
});
