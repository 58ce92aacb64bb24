/**
 * What each release left is carried forward to the one of now: people see the same, and waiting events still
 * come. `RECORD_RELEASE=1` before the command writes the file of the present version.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServer, openServices } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import { readApiKey } from "../../server/people/credentials.ts";
import { users } from "../../server/people/user.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import type { Services } from "../../server/services.ts";
import { ownVersion } from "../../server/version.ts";
import { type Caller, callerOf, HOST } from "../harness/harness.ts";
import { tellingTexts } from "../harness/whole-person.ts";
import { type OldDatabase, upgradedDatabase } from "./old-installation.ts";
import { answersTo, type RecordedRelease, readers, recordRelease } from "./record.ts";

const folder = new URL("recorded/", import.meta.url);
const isRecording = process.env.RECORD_RELEASE !== undefined;

if (isRecording) {
  const release = await recordRelease();
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${release.version}.json`, folder), `${linesOf(release)}\n`);
}

/** A line for each row, so that a change of the file can be read. */
function linesOf({ rows, answers, ...head }: RecordedRelease): string {
  const indent = (value: unknown) => JSON.stringify(value, null, 1);
  const tables = Object.entries(rows).map(
    ([name, all]) => `${JSON.stringify(name)}: [\n${all.map((row) => JSON.stringify(row)).join(",\n")}\n]`,
  );
  const people = Object.entries(answers).map(([name, each]) => {
    const lines = Object.entries(each).map(
      ([call, body]) => `${JSON.stringify(call)}: ${JSON.stringify(body)}`,
    );
    return `${JSON.stringify(name)}: {\n${lines.join(",\n")}\n}`;
  });
  return `${indent(head).slice(0, -2)},\n"rows": {\n${tables.join(",\n")}\n},\n"answers": {\n${people.join(",\n")}\n}\n}`;
}

const recorded = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as RecordedRelease,
);

test("the present version is recorded", () => {
  expect(recorded.map(({ version }) => version)).toContain(ownVersion);
});

describe.each(recorded)("an installation of $version", (release) => {
  let upgraded: OldDatabase;
  let services: Services;
  let app: FastifyInstance;
  let files: string;
  beforeAll(async () => {
    files = mkdtempSync(path.join(tmpdir(), "parley-release-"));
    for (const [name, bytes] of Object.entries(release.files)) {
      mkdirSync(path.dirname(path.join(files, name)), { recursive: true });
      writeFileSync(path.join(files, name), Buffer.from(bytes, "base64"));
    }
    upgraded = await upgradedDatabase(release.schema, release);
    const environment = { PARLEY_ENV: "development", PARLEY_LOG: "silent", PARLEY_FILES: files };
    const config = readConfig({ ...environment, PARLEY_WEB_PUBLIC_STREAMS: "on" });
    services = await openServices(config, pino({ level: "silent" }), upgraded.database.connection);
    app = await createServer(services);
  }, 60_000);
  afterAll(async () => {
    await services?.queues.stop();
    await app?.close();
    await services?.database.close();
    await upgraded?.close();
    rmSync(files, { recursive: true, force: true });
  });

  const addresses = { ada: "ada@demo.test", dev: tellingTexts.address, gus: "gus@demo.test" };

  async function callerOfPerson(name: (typeof readers)[number]): Promise<Caller> {
    const state = (await services.organizations.byHost(HOST)) as OrganizationState;
    const user = state.get(users).findManaged(addresses[name]);
    if (!user) throw new Error(name);
    const key = await readApiKey(state, services.keyring, user.id);
    const authorization = `Basic ${Buffer.from(`${user.email}:${key}`).toString("base64")}`;
    return callerOf(app, { host: HOST, authorization, "user-agent": "ParleyTest/1.0" });
  }

  test.each(readers)("%s gets all that was there, and the events that waited", async (name) => {
    const now = await answersTo(await callerOfPerson(name), release, name);
    const before = release.answers[name] as Record<string, unknown>;
    // A later release may have more fields.
    for (const [call, body] of Object.entries(before))
      expect({ [call]: now[call] }).toMatchObject({ [call]: body });
    expect((before.events as { events: unknown[] }).events.length).toBeGreaterThan(3);
  });

  test("files have the same bytes", async () => {
    const ada = await callerOfPerson("ada");
    const { attachments } = (release.answers.dev as Record<string, unknown>)["/attachments {}"] as {
      attachments: { path_id: string; size: number }[];
    };
    expect(attachments.length).toBeGreaterThan(0);
    for (const { path_id, size } of attachments) {
      const { status, body } = await ada.get(`/user_uploads/${path_id}`);
      if (status !== 200) continue;
      const sent = await app.inject({ url: body.url, headers: { host: HOST } });
      expect(sent.rawPayload.length).toBe(size);
    }
  });
});
