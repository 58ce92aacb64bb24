/** How many rows missed messages cost, and what a node reads for them. */
import pg from "pg";
import { expect, test, vi } from "vitest";
import { useMissedMail } from "../../../test/harness/missed-mail.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { sql } from "../../platform/db/sql.ts";
import { presences } from "../../profiles/presence/presences.ts";
import { followAll } from "./follower.ts";
import { mailMissedMessages } from "./mail-missed.ts";
import { MAX_NOTES, News } from "./news.ts";
import * as store from "./store.ts";

const servers = useMissedMail();
const { query, id, say, tell, policy, missed, run, deliver, to } = servers;
const rows = () =>
  query<{ user: number; ids: number[] }>(
    sql`select user_id as user, message_ids as ids from missed_messages order by user_id, position`,
  );

test("what one look finds for a person is one row, however many messages and topics there are", async () => {
  await policy("elin", "cake", 3);
  await followAll(servers.harness.state);
  const ids: number[] = [];
  for (let count = 0; count < 10; count++) ids.push(await say("dev", `cake ${count}`, "cake"));
  ids.push(await say("dev", "@**Elin Berg** tea?", "tea"), await tell("dev", ["elin"], "hello"));
  await followAll(servers.harness.state);
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  expect(row?.user).toBe(id("elin"));
  expect(row?.ids.sort((a, b) => a - b)).toEqual(ids);
});

test("who stays at a client has one row, however much they leave unread, and then gets all of it", async () => {
  const { user } = servers.harness.user("elin");
  servers.harness.state.get(presences).report(user.id, true, Date.now());
  for (const word of ["one", "two", "three"]) {
    await tell("dev", ["elin"], word);
    await followAll(servers.harness.state);
  }
  expect(await rows()).toHaveLength(3);
  expect(await deliver()).toEqual([]);
  expect(await rows()).toHaveLength(1);
  Object.assign(servers.harness.state.get(presences).find(user.id) ?? {}, { activeAt: Date.now() - 200_000 });
  const [mail, ...others] = await deliver();
  expect(others).toEqual([]);
  expect(mail?.text).toMatch(/one[\s\S]*two[\s\S]*three/);
  expect(await rows()).toEqual([]);
});

test("a message that waited for a day is news no longer, also in one row with others and after an edit", async () => {
  const { user } = servers.harness.user("elin");
  const memory = servers.harness.state.get(presences);
  memory.report(user.id, true, Date.now());
  const old = await tell("dev", ["elin"], "old");
  await followAll(servers.harness.state);
  await query(sql`
    update missed_messages set sent_at = sent_at - interval '25 hours', news_since = array[now() - interval '25 hours']`);
  await query(sql`update messages set sent_at = sent_at - interval '25 hours' where id = ${old}`);
  await servers.harness.as("dev").patch(`/messages/${old}`, { content: "old, with an edit" });
  await query(sql`update messages set edited_at = now() where id = ${old}`);
  await tell("dev", ["elin"], "young");
  await followAll(servers.harness.state);
  // All becomes one row, and waits for elin to leave.
  expect(await deliver()).toEqual([]);
  const [row, ...others] = await rows();
  expect([row?.ids.length, others]).toEqual([1, []]);
  Object.assign(memory.find(user.id) ?? {}, { activeAt: Date.now() - 200_000 });
  const [mail] = await deliver();
  expect(mail?.text).toContain("young");
  expect(mail?.text?.split("New:").at(-1)).not.toContain("old");
});

test("in one row, what is no news any more goes, and the rest keeps its day", async () => {
  const { user } = servers.harness.user("elin");
  const memory = servers.harness.state.get(presences);
  memory.report(user.id, true, Date.now());
  const [old] = [await tell("dev", ["elin"], "old"), await tell("dev", ["elin"], "young")];
  await followAll(servers.harness.state);
  expect(await deliver()).toEqual([]);
  await query(sql`
    update missed_messages set news_since = (
      select array_agg(case when id = ${old} then day - interval '25 hours' else day - interval '23 hours' end)
      from unnest(message_ids, news_since) as message (id, day))`);
  expect(await deliver()).toEqual([]);
  const kept = await query<{ ids: number[]; hours: number }>(sql`
    select message_ids as ids, round(extract(epoch from now() - news_since[1]) / 3600)::int as hours
    from missed_messages`);
  expect(kept).toEqual([{ ids: [old + 1], hours: 23 }]);
  Object.assign(memory.find(user.id) ?? {}, { activeAt: Date.now() - 200_000 });
  expect(to(await deliver())).toEqual(["elin@demo.test"]);
});

test("an edit that mentions somebody whom a message waits for gives it no other day", async () => {
  const { user } = servers.harness.user("elin");
  await policy("elin", "cake", 3);
  const message = await say("dev", "cake?", "cake");
  await followAll(servers.harness.state);
  await query(sql`update missed_messages set news_since = array[now() - interval '25 hours']`);
  await servers.harness.as("dev").patch(`/messages/${message}`, { content: "@**Elin Berg** cake?" });
  await followAll(servers.harness.state);
  expect((await rows()).filter((row) => row.user === user.id)).toHaveLength(2);
  expect(to(await deliver())).not.toContain("elin@demo.test");
});

test("a node that keeps up reads no message again", async () => {
  await followAll(servers.harness.state);
  await tell("dev", ["elin"], "hello");
  const reads = servers.harness.state.parts.sources.map((source) => vi.spyOn(source, "read"));
  await followAll(servers.harness.state);
  expect(reads.flatMap(({ mock }) => mock.calls)).toEqual([]);
  for (const read of reads) read.mockRestore();
  expect(to(await deliver())).toEqual(["elin@demo.test"]);
});

test("a node that dies before its rows are written leaves the messages to the next look", async () => {
  await followAll(servers.harness.state);
  await tell("dev", ["elin"], "hello");
  const insert = vi.spyOn(store, "updateCursor").mockRejectedValueOnce(new Error("died"));
  await expect(followAll(servers.harness.state)).rejects.toThrow("died");
  insert.mockRestore();
  expect(await missed()).toEqual([]);
  await followAll(servers.harness.state);
  expect(await missed()).toEqual([{ user: id("elin") }]);
});

test("an edit that mentions somebody whom the message waits for mails it once", async () => {
  await policy("elin", "cake", 3);
  const message = await say("dev", "cake?", "cake");
  await followAll(servers.harness.state);
  await servers.harness.as("dev").patch(`/messages/${message}`, { content: "@**Elin Berg** cake?" });
  await followAll(servers.harness.state);
  const [mail, ...others] = await deliver();
  expect([mail?.to?.[0]?.address, others]).toEqual(["elin@demo.test", []]);
  expect(mail?.text?.match(/cake\?/g)).toHaveLength(1);
});

test("two jobs for one person at once mail each message once", async () => {
  await tell("dev", ["elin"], "hello");
  await followAll(servers.harness.state);
  await query(sql`update missed_messages set due_at = now()`);
  await mailMissedMessages.run(servers.harness.services, {}, run());
  await mailMissedMessages.run(servers.harness.services, {}, run());
  expect(to(await deliver())).toEqual(["elin@demo.test"]);
});

test("notes are bounded, and what is forgotten is read from the log", () => {
  let note: Parameters<typeof servers.harness.state.listen>[0] = () => {};
  const { state } = servers.harness;
  const news = new News(
    Object.assign(Object.create(state), {
      listen(listener: typeof note) {
        note = listener;
      },
    }),
  );
  const entry = state.recent.all.findLast(({ payload }) => payload.type === "message");
  if (!entry) throw new Error("no message is remembered");
  const first = news.after + 1;
  for (let count = 0; count <= MAX_NOTES; count++) {
    note({ ...entry, position: (first + count) as typeof entry.position });
  }
  expect(news.after).toBe(first + MAX_NOTES / 2);
  const end = (first + MAX_NOTES) as typeof entry.position;
  const notes = news.between(news.after, end, MAX_NOTES);
  expect([notes.length, notes[0]?.position, notes.at(-1)?.position]).toEqual([
    MAX_NOTES / 2,
    news.after + 1,
    end,
  ]);
  news.forget(end);
  expect([news.after, news.hasAfter(first as typeof entry.position)]).toEqual([end, false]);
});

test("what waits when a server is upgraded is mailed by the new rows", async () => {
  const [one, two] = [await tell("dev", ["elin"], "one"), await tell("dev", ["elin"], "two")];
  await followAll(servers.harness.state);
  const client = new pg.Client(servers.harness.services.database.connection);
  await client.connect();
  try {
    await client.query(`drop table missed_messages;
      create table missed_messages (organization_id bigint, user_id bigint, message_id bigint, due_at timestamptz,
        sent_at timestamptz, constraint missed_messages_pkey primary key (organization_id, user_id, message_id));
      create index missed_messages_due on missed_messages (due_at);
      create index event_queues_last_seen on event_queues (last_seen_at);
      drop table topic_read_states, old_read_states, import_sources, imports, erasures, last_mail, mail_warnings, files_mark;
      drop table statistics_cursors, statistics_days, statistics_channel_days, active_days;
      drop table own_data_copies;
      alter table mailed_codes drop column by_operator;
      alter table migrations drop column compatible_from;
      alter table mails drop column kind, drop column recipient, drop column attempts, drop column last_attempt_at,
        drop column last_answer, drop column refused_at, drop column told_at;
      alter table users drop column erased_at;
      alter table message_edits drop column previous_topic_id;
      drop index messages_read_notices;
      alter table organization_logs drop constraint organization_logs_pkey;
      alter table organization_logs drop column stretch;
      alter table organization_logs add primary key (organization_id);
      delete from migrations where id >= 48`);
    for (const message of [two, one]) {
      const values = [servers.harness.state.organizationId, id("elin"), message];
      await client.query("insert into missed_messages values ($1, $2, $3, now(), now())", values);
    }
    await migrate(client);
  } finally {
    await client.end();
  }
  expect(await rows()).toEqual([{ user: id("elin"), ids: [one, two] }]);
  const [mail, ...others] = await deliver();
  expect(others).toEqual([]);
  expect(mail?.text).toMatch(/one[\s\S]*two/);
});
