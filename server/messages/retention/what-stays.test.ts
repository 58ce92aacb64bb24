import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { endExpiryGrace } from "../../../test/harness/expiry.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { indexAll } from "../search/index-messages.ts";
import { expireMessages } from "./expire.ts";

const WORD = "zanzibar";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** The tables with rows in which the word is. */
async function tablesWithWord(): Promise<string[]> {
  const { database } = harness.state;
  const tables = await database.query<{ name: string }>(sql`
    select relname as name from pg_stat_user_tables where schemaname = 'public' order by relname`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(
      new Sql(`select from ${name} as row where row::text ilike $1 limit 1`, [`%${WORD}%`], undefined),
    );
    if (rows.length > 0) found.push(name.replace(/^events_\d+$/, "events"));
  }
  return [...new Set(found)];
}

test("the words of an expired message stay in no table but the log, which drops its days", async () => {
  const [dev, elin] = [harness.as("dev"), harness.as("elin")];
  const channel = await harness.channel("week", ["dev", "elin"], { messageRetentionDays: 7 });
  await endExpiryGrace(harness);
  const message = { type: "channel", to: channel.id, topic: "trips", content: `${WORD} @**Elin Berg**` };
  const { id } = await expectSuccess(dev.post("/messages", message));
  await expectSuccess(dev.patch(`/messages/${id}`, { content: `${WORD} again @**Elin Berg**` }));
  await expectSuccess(elin.post(`/messages/${id}/reactions`, { emoji_name: "smile" }));
  await expectSuccess(elin.post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
  const time = Math.floor(Date.now() / 1000) + 3600;
  await expectSuccess(elin.post("/reminders", { message_id: id, scheduled_delivery_timestamp: time }));
  const { organizationId, database } = harness.state;
  await indexAll(database, organizationId);
  expect(await tablesWithWord()).toEqual([
    ...["events", "message_edits", "messages", "search_vocabulary", "search_words"],
  ]);
  await database.query(sql`
    update messages set sent_at = now() - interval '8 days'
    where organization_id = ${organizationId} and id = ${id}`);
  await expireMessages.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date() });
  await runJobs(harness.services);
  await indexAll(database, organizationId);
  expect(await tablesWithWord()).toEqual(["events"]);
});
