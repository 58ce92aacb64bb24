/** An upgrade of a database whose names were different before, and are equal by now. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServices } from "../../server/app.ts";
import { channels } from "../../server/channels/channel.ts";
import { readConfig } from "../../server/config.ts";
import { groups } from "../../server/groups/group.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import type { Services } from "../../server/services.ts";
import { createEmptyDatabase, type TestDatabase } from "../../test/harness/postgres.ts";
import type { Finding } from "./checks.ts";
import { checkSharedNames } from "./shared-names.ts";

/** The last migration before names were compared in one form. */
const BEFORE = 37;
const migrations = new URL("../../server/platform/db/migrations/", import.meta.url);

let database: TestDatabase;
let client: pg.Client;
let services: Services;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  const directory = mkdtempSync(path.join(os.tmpdir(), "parley-migrations-"));
  for (const name of readdirSync(migrations)) {
    if (Number(name.slice(0, 4)) <= BEFORE) cpSync(new URL(name, migrations), path.join(directory, name));
  }
  await migrate(client, { directory });
  rmSync(directory, { recursive: true });
  await client.query(`
    insert into organizations (id, host, name) overriding system value values (1, 'old.test', 'Old');
    insert into organization_logs (organization_id) values (1);
    insert into channels (organization_id, id, name) values (1, 11, 'É-c'), (1, 12, E'e\\u0301-C'), (1, 13, 'single');
    insert into groups (organization_id, name) values (1, 'Straße'), (1, 'STRASSE');
    insert into topics (organization_id, channel_id, name) values
      (1, 11, 'café'), (1, 11, E'cafe\\u0301'), (1, 11, 'empty'), (1, 11, E'emp\\u200bty'), (1, 13, 'café');`);
  await migrate(client);
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
  services = await openServices(config, pino({ level: "silent" }), database.connection);
}, 60_000);

afterAll(async () => {
  await services.queues.stop();
  await services.database.close();
  await client.end();
  await database.drop();
});

test("the name that two channels or groups share means the older one", async () => {
  const state = (await services.organizations.byHost("old.test")) as OrganizationState;
  const all = state.get(channels);
  expect(["É-c", "E\u0301-c"].map((name) => all.findByName(name)?.id)).toEqual([11, 11]);
  expect(state.get(groups).findByName("strasse")?.name).toBe("Straße");
});

test("the doctor lists what shares a name, with what to do about it", async () => {
  await client.query(`
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, content, rendered_content, sent_at, facts)
    select 1, id, channel_id, id, 1, 'test', '', '', now(), 0 from topics where name not like 'em%'`);
  const findings: Finding[] = [];
  for await (const finding of checkSharedNames(client)) findings.push(finding);
  expect(findings).toEqual([
    {
      hasPassed: true,
      isWarning: true,
      fault: "name-shared",
      text: 'old.test: the topics "café", "cafe\\u{301}" of channel 11 have one name.',
      advice: 'parley topic merge --host old.test 11 "café" joins them.',
    },
    expect.objectContaining({ text: 'old.test: the channels "É-c", "e\\u{301}-C" have one name.' }),
    expect.objectContaining({ text: 'old.test: the groups "Straße", "STRASSE" have one name.' }),
  ]);
});
