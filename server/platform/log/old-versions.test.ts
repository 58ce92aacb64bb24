import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Sql } from "../db/sql.ts";
import { headsQuery, newestLogRow } from "./store.ts";

const VERSIONS = 20_000;
/** Those of one key lie in some ten pages, and all of them in more than a hundred. */
const MAX_PAGES = 60;

let harness: Harness;
let holder: pg.Client;
beforeAll(async () => {
  harness = await createHarness();
  holder = new pg.Client(harness.services.database.connection);
  await holder.connect();
  await holder.query("begin isolation level repeatable read");
  // The first statement takes the snapshot.
  await holder.query("select from organization_logs");
});
afterAll(async () => {
  await holder.end();
  await harness.close();
});

/** How many pages PostgreSQL looks at for a statement. */
async function pagesOf(client: pg.Client, { text, values }: Sql): Promise<number> {
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
  const plan = rows[0]["QUERY PLAN"][0].Plan;
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

test("the log's row is found among few of the old versions that a snapshot keeps", async () => {
  const { organizationId } = harness.state;
  const client = new pg.Client(harness.services.database.connection);
  await client.connect();
  try {
    const row = newestLogRow(organizationId);
    const found = row.text.replaceAll(/\$\d/g, String(organizationId));
    await client.query(`do $$ begin for n in 1..${VERSIONS} loop
      update organization_logs set head = head + 1 where ${found};
    end loop; end $$`);
    const update = { ...row, text: `update organization_logs set head = head + 1 where ${row.text}` };
    expect(await pagesOf(client, update)).toBeLessThan(MAX_PAGES);
    expect(await pagesOf(client, headsQuery(organizationId))).toBeLessThan(MAX_PAGES);
    // There are that many: a look-up without the newest key meets them all.
    const all = { ...row, text: "select head from organization_logs where organization_id = $1" };
    expect(await pagesOf(client, { ...all, values: [organizationId] })).toBeGreaterThan(2 * MAX_PAGES);
  } finally {
    await client.end();
  }
});
