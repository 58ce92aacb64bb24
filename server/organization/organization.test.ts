import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { expectSuccess } from "../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../test/harness/harness.ts";
import { createServer, openServices } from "../app.ts";
import { sql } from "../platform/db/sql.ts";
import { settingOf } from "./setting.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

test("a stored setting that its declaration does not allow counts as not chosen", async () => {
  const { config, database } = harness.services;
  const stored = { description: {}, org_type: "business", digest_weekday: 3 };
  await database.query(
    sql`update organizations set settings = ${JSON.stringify(stored)} where id = ${harness.state.organizationId}`,
  );
  const other = await openServices(config, pino({ level: "silent" }), database.connection);
  const app = await createServer(other);
  try {
    const state = await other.organizations.byId(harness.state.organizationId);
    expect(settingOf(state, organizationSettings.description)).toBe("");
    expect(settingOf(state, organizationSettings.orgType)).toBe(0);
    expect(settingOf(state, organizationSettings.digestWeekday)).toBe(3);
    const answer = await app.inject({ url: "/api/v1/server_settings", headers: { host: HOST } });
    expect(answer.json()).toMatchObject({ result: "success", realm_description: "" });
  } finally {
    await app.close();
    await other.database.close();
  }
  // Once anything changes, the row has valid values only. This node has never seen the wrong ones.
  await expectSuccess(harness.as("ada").patch("/realm", { digest_weekday: 5 }));
  const rows = await database.query(
    sql`select settings from organizations where id = ${harness.state.organizationId}`,
  );
  expect(rows).toEqual([{ settings: { digest_weekday: 5 } }]);
});
