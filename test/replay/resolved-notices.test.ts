// The notice that a topic was resolved counts as read for those whose setting says so
// (`resolved_topic_notice_auto_read_policy`).
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueuedEvent } from "../../client/contract.ts";
import { createServer, openServices } from "../../server/app.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { editIn, expectSuccess, sayIn, showIn } from "../harness/answers.ts";
import { everybody, followAll } from "../harness/follow.ts";
import { type CastName, callerOf, createHarness, type Harness, HOST } from "../harness/harness.ts";

const subscribed: CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo"];
let harness: Harness;
let kitchen: number;
let pantry: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", subscribed)).id;
  pantry = (await harness.channel("pantry", ["ada", "dev", "elin"])).id;
  await setPolicy("ben", "always");
  await setPolicy("cleo", "never");
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);

const setPolicy = (name: CastName, policy: string) =>
  expectSuccess(harness.as(name).patch("/settings", { resolved_topic_notice_auto_read_policy: policy }));

const setTopic = (name: CastName, topic: string, policy: number) =>
  expectSuccess(
    harness.as(name).post("/user_topics", { stream_id: kitchen, topic, visibility_policy: policy }),
  );

/** A topic of one message that ben and elin follow. ada, who writes it, does not. */
async function followedTopic(topic: string): Promise<number> {
  const id = await say("ada", "kitchen", { topic });
  await setTopic("ada", topic, 0);
  for (const name of ["ben", "elin"] as const) await setTopic(name, topic, 3);
  return id;
}

interface NoticeEvent {
  flags: string[];
  message: { id: number; content: string };
}

const noticesIn = (events: readonly QueuedEvent[] | undefined) =>
  (events?.filter(({ type }) => type === "message") ?? []) as unknown as NoticeEvent[];

/** The id of the notice that this change causes. */
async function noticeOf(change: () => Promise<unknown>): Promise<number> {
  const heard = await followAll(harness, ["cleo"], change);
  return noticesIn(heard.cleo)[0]?.message.id as number;
}

const resolve = (id: number, topic: string) => () => expectSuccess(edit("ada", id, { topic: `✔ ${topic}` }));

async function unreadCount(name: CastName): Promise<number> {
  return (await expectSuccess(harness.as(name).post("/register"))).unread_msgs.count;
}

test("a notice is unread for those who never want it read, and for most others who follow the topic", async () => {
  const id = await followedTopic("soup");
  for (const topic of ["✔ soup", "soup"]) {
    const heard = await followAll(harness, everybody, () =>
      expectSuccess(edit("ada", id, { topic, propagate_mode: "change_all" })),
    );
    const flags = Object.fromEntries(
      subscribed.map((name) => [name, noticesIn(heard[name]).map((event) => event.flags)]),
    );
    const [read, unread] = [[["read"]], [[]]];
    expect(flags).toEqual({
      ada: read,
      ben: read,
      cleo: unread,
      dev: read,
      elin: unread,
      gus: read,
      echo: read,
    });
    const notice = noticesIn(heard.cleo)[0]?.message.id as number;
    const shown = await Promise.all(subscribed.map(async (name) => (await show(name, notice)).flags));
    expect(shown).toEqual(subscribed.map((name) => (name === "cleo" || name === "elin" ? [] : ["read"])));
    expect(noticesIn(heard.zed)).toEqual([]);
  }
});

test("unread counts leave out the notices that count as read", async () => {
  const id = await followedTopic("salad");
  const before = await Promise.all(subscribed.map(unreadCount));
  await resolve(id, "salad")();
  const after = await Promise.all(subscribed.map(unreadCount));
  expect(after.map((count, index) => count - (before[index] as number))).toEqual([0, 0, 1, 0, 1, 0, 0]);
});

test("notices of moves are unread for everybody, whatever the setting says", async () => {
  const id = await followedTopic("bread");
  const heard = await followAll(harness, ["ben", "dev"], () =>
    expectSuccess(edit("ada", id, { topic: "rolls" })),
  );
  for (const name of ["ben", "dev"]) expect(noticesIn(heard[name]).map(({ flags }) => flags)).toEqual([[]]);
});

test("a later change of the setting or the topic changes no notice that is there", async () => {
  const id = await followedTopic("rice");
  const notice = await noticeOf(resolve(id, "rice"));
  await setPolicy("dev", "never");
  await setTopic("gus", "✔ rice", 3);
  await setTopic("elin", "✔ rice", 0);
  const flags = await Promise.all((["dev", "gus", "elin"] as const).map((name) => show(name, notice)));
  expect(flags.map((message) => message.flags)).toEqual([["read"], ["read"], []]);
  await setPolicy("dev", "except_followed");
});

test("a notice that counts as read can be marked as unread, and read again", async () => {
  const id = await followedTopic("beans");
  const notice = await noticeOf(resolve(id, "beans"));
  const mark = (op: "add" | "remove") => () =>
    expectSuccess(harness.as("dev").post("/messages/flags", { messages: [notice], op, flag: "read" }));
  await followAll(harness, ["dev", "gus"], mark("remove"));
  expect((await show("dev", notice)).flags).toEqual([]);
  expect((await show("gus", notice)).flags).toEqual(["read"]);
  await followAll(harness, ["dev", "gus"], mark("add"));
  expect((await show("dev", notice)).flags).toEqual(["read"]);
});

test("reading the messages around a notice makes one range of read messages", async () => {
  const first = await followedTopic("peas");
  await resolve(first, "peas")();
  const last = await say("ada", "kitchen", { topic: "✔ peas" });
  const messages = (
    await expectSuccess(harness.as("gus").get("/messages", { anchor: last, num_before: 50, num_after: 0 }))
  ).messages.flatMap(({ id, flags }: { id: number; flags: string[] }) =>
    flags.includes("read") ? [] : [id],
  );
  await expectSuccess(harness.as("gus").post("/messages/flags", { messages, op: "add", flag: "read" }));
  const [row] = await harness.services.database.query<{ count: number }>(sql`
    select (select count(*)::int from unnest(ranges)) as count from read_states
    where recipient_id = ${kitchen} and user_id = ${harness.user("gus").id}`);
  expect(row?.count).toBe(1);
});

test("a notice that moves to another channel is read there for those for whom it was read", async () => {
  const id = await followedTopic("herbs");
  const notice = await noticeOf(resolve(id, "herbs"));
  await followAll(harness, ["ada", "dev", "elin"], () =>
    expectSuccess(
      edit("ada", id, {
        stream_id: pantry,
        propagate_mode: "change_all",
        send_notification_to_new_thread: false,
      }),
    ),
  );
  const flags = await Promise.all((["dev", "elin"] as const).map((name) => show(name, notice)));
  expect(flags.map((message) => message.flags)).toEqual([["read"], []]);
});

test("somebody who leaves the channel gets no event about notices that were read", async () => {
  const id = await followedTopic("wine");
  const notice = await noticeOf(resolve(id, "wine"));
  const leave = (name: CastName) =>
    expectSuccess(harness.as(name).delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
  const heard = await followAll(harness, ["gus", "elin"], async () => {
    await leave("gus");
    await leave("elin");
  });
  const marked = (name: CastName) =>
    heard[name]?.flatMap((event) => (event.type === "update_message_flags" ? event.messages : []));
  expect(marked("elin")).toContain(notice);
  expect(marked("gus")).not.toContain(notice);
  const principals = [harness.user("gus").id, harness.user("elin").id];
  const again = { subscriptions: [{ name: "kitchen" }], principals };
  await expectSuccess(harness.as("ada").post("/users/me/subscriptions", again));
});

test("a queue that is read from the log again gets the same flags", async () => {
  const id = await followedTopic("mint");
  const queue = async (name: CastName) => {
    const parameters = { event_types: ["message"], fetch_event_types: [] };
    const { queue_id } = await expectSuccess(harness.as(name).post("/register", parameters));
    return queue_id as string;
  };
  const names = ["dev", "elin"] as const;
  const queues = await Promise.all(names.map(queue));
  await resolve(id, "mint")();
  const services = await openServices(
    harness.services.config,
    pino({ level: "silent" }),
    harness.services.database.connection,
  );
  const other = await createServer(services);
  const events = await Promise.all(
    names.map(async (name, index) => {
      const { email, apiKey } = harness.user(name);
      const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
      const parameters = { queue_id: queues[index], last_event_id: -1, dont_block: true };
      return expectSuccess(callerOf(other, { host: HOST, authorization }).get("/events", parameters));
    }),
  );
  expect(events.map((answer) => noticesIn(answer.events).map(({ flags }) => flags))).toEqual([
    [["read"]],
    [[]],
  ]);
  await services.queues.stop();
  await other.close();
  await services.database.close();
});

test("a notice has a row for nobody but those for whom it is unread", async () => {
  const id = await followedTopic("stew");
  const notice = await noticeOf(resolve(id, "stew"));
  const rows = await harness.services.database.query(sql`
    select user_id as id from message_flags where message_id = ${notice} order by user_id`);
  const unread = (["cleo", "elin"] as const).map((name) => ({ id: harness.user(name).id }));
  expect(rows).toEqual(unread);
});

test("a notice that is unread for everybody is a plain message", async () => {
  await harness.channel("den", ["ada", "cleo"]);
  await setPolicy("ada", "never");
  const id = await say("ada", "den", { topic: "tea" });
  const notice = await noticeOf(resolve(id, "tea"));
  const rows = await harness.services.database.query(sql`
    select from message_flags where message_id = ${notice}`);
  expect(rows).toEqual([]);
  expect((await show("ada", notice)).flags).toEqual([]);
  await setPolicy("ada", "except_followed");
});
