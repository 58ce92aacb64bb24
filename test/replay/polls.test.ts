import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueuedEvent } from "../../client/contract.ts";
import { MAX_SUBMESSAGES } from "../../server/messages/polls/actions.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { queuesOf, removeQueue } from "../../server/platform/queues/organization-queues.ts";
import type { Queue } from "../../server/platform/queues/queue.ts";
import { expectSuccess } from "../harness/answers.ts";
import { everybody, expectSilence, followAll, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { listen } from "../harness/listener.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  await harness.channel("leads", ["ada", "ben"], { isPrivate: true });
});
afterAll(() => harness?.close());

const POLL = "/poll Soup today?\n* leek\n - tomato\n\nnone";
const TASKS = "/todo Dinner\nbread: two loaves\n* salt";

async function say(name: CastName, to: unknown, content: string, more: Record<string, unknown> = {}) {
  const message = { type: "channel", to, topic: "lunch", content, ...more };
  const { status, body } = await harness.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id as number;
}

const act = (name: CastName, message_id: number, content: unknown) =>
  harness.as(name).post("/submessage", { message_id, msg_type: "widget", content });
const vote = (name: CastName, id: number) => act(name, id, { type: "vote", key: "canned,0", vote: 1 });

/** Sender and content of each of a message's submessages, as a viewer's listing has them. */
async function submessagesOf(name: CastName, id: number): Promise<[number, unknown][]> {
  const { submessages } = (await harness.as(name).get(`/messages/${id}`)).body.message;
  for (const each of submessages) expect(each).toMatchObject({ message_id: id, msg_type: "widget" });
  return submessages.map((each: { sender_id: number; content: string }) => [
    each.sender_id,
    JSON.parse(each.content),
  ]);
}

const soup = {
  widget_type: "poll",
  extra_data: { question: "Soup today?", options: ["leek", "tomato", "none"] },
};

const form = {
  widget_type: "zform",
  extra_data: {
    type: "choices",
    heading: "Which soup?",
    choices: [{ type: "multiple_choice", short_name: "A", long_name: "Leek", reply: "leek" }],
  },
};

describe("a poll", () => {
  test("has its question and options, and then what people do", async () => {
    const people = await startAll(harness, everybody);
    const id = await say("ada", "kitchen", POLL);
    for (const follower of people) await follower.catchUp();
    for (const follower of people) await follower.compare();
    expect(await submessagesOf("gus", id)).toEqual([[harness.user("ada").id, soup]]);
    await expectSuccess(vote("dev", id));
    await expectSuccess(act("gus", id, { type: "new_option", idx: 1, option: "stew" }));
    await expectSuccess(act("ada", id, { type: "question", question: "Soup tomorrow?" }));
    for (const follower of people) await follower.catchUp();
    for (const follower of people) await follower.compare();
    expect(await submessagesOf("gus", id)).toEqual([
      [harness.user("ada").id, soup],
      [harness.user("dev").id, { type: "vote", key: "canned,0", vote: 1 }],
      [harness.user("gus").id, { type: "new_option", idx: 1, option: "stew" }],
      [harness.user("ada").id, { type: "question", question: "Soup tomorrow?" }],
    ]);
  });

  test("is sent with its first submessage, and a vote with all its fields", async () => {
    const heard = await followAll(harness, ["ben"], async () =>
      vote("dev", await say("ada", "kitchen", POLL)),
    );
    const [sent, voted] = heard.ben ?? [];
    const { id, submessages } = (sent as QueuedEvent & { message: Record<string, unknown> }).message;
    expect(submessages).toEqual([
      {
        id: expect.any(Number),
        message_id: id,
        sender_id: harness.user("ada").id,
        msg_type: "widget",
        content: JSON.stringify(soup),
      },
    ]);
    expect(voted).toEqual({
      id: expect.any(Number),
      type: "submessage",
      submessage_id: expect.any(Number),
      message_id: id,
      sender_id: harness.user("dev").id,
      msg_type: "widget",
      content: '{"type":"vote","key":"canned,0","vote":1}',
    });
  });

  test("is echoed to the queue that it was sent from", async () => {
    const { body: queue } = await harness.as("ada").post("/register", { event_types: ["message"] });
    const local_id = "12.01";
    const id = await say("ada", "kitchen", POLL, { queue_id: queue.queue_id, local_id });
    const { body } = await harness
      .as("ada")
      .get("/events", { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true });
    expect(body.events).toMatchObject([{ message: { id }, local_message_id: local_id }]);
    await harness.as("ada").delete("/events", { queue_id: queue.queue_id });
  });

  test("goes to people directly, too", async () => {
    const id = await say("dev", [harness.user("gus").id], POLL, { type: "direct", topic: undefined });
    await expectSilence(harness, { hears: "dev", silent: ["ada", "ben", "echo", "zed"] }, () =>
      expectSuccess(vote("gus", id)),
    );
    expect(await submessagesOf("dev", id)).toHaveLength(2);
  });

  test("disappears with all votes when its message is deleted", async () => {
    const id = await say("ada", "kitchen", POLL);
    await expectSuccess(vote("dev", id));
    await followAll(harness, ["ada", "gus"], () =>
      expectSuccess(harness.as("ada").delete(`/messages/${id}`)),
    );
    const left = await harness.state.database.query(sql`select from submessages where message_id = ${id}`);
    expect(left).toEqual([]);
  });

  test("leaves no rows behind when people vote, react and star while it is deleted", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await say("ada", "kitchen", POLL);
      const [deleted, ...others] = await Promise.all([
        harness.as("ada").delete(`/messages/${id}`),
        vote("dev", id),
        vote("gus", id),
        harness.as("ben").post(`/messages/${id}/reactions`, { emoji_name: "tada" }),
        harness.as("echo").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }),
        harness.as("gus").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }),
      ]);
      expect(deleted?.status).toBe(200);
      for (const { status, body } of others) expect([200, 400], JSON.stringify(body)).toContain(status);
    }
    const left = await harness.state.database.query(sql`
      select message_id from submessages where message_id not in (select id from messages)
      union all select message_id from reactions where message_id not in (select id from messages)
      union all select message_id from message_flags where message_id not in (select id from messages)`);
    expect(left).toEqual([]);
  });

  test("can't be edited", async () => {
    const id = await say("ada", "kitchen", POLL);
    const { status, body } = await harness.as("ada").patch(`/messages/${id}`, { content: "No soup" });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("keeps what people did when it is moved", async () => {
    const id = await say("ada", "kitchen", POLL);
    await expectSuccess(vote("dev", id));
    await expectSuccess(harness.as("ada").patch(`/messages/${id}`, { topic: "dinner" }));
    expect(await submessagesOf("gus", id)).toHaveLength(2);
  });
});

describe("a list of tasks", () => {
  test("has its title and tasks; text after a colon describes a task", async () => {
    const id = await say("ada", "kitchen", TASKS);
    await expectSuccess(
      act("dev", id, { type: "new_task", key: 2, task: "wine", desc: "", completed: false }),
    );
    await expectSuccess(act("gus", id, { type: "strike", key: "0,canned" }));
    await expectSuccess(act("ada", id, { type: "new_task_list_title", title: "Supper" }));
    const [first, ...rest] = await submessagesOf("dev", id);
    const tasks = [
      { task: "bread", desc: "two loaves" },
      { task: "salt", desc: "" },
    ];
    expect(first?.[1]).toEqual({ widget_type: "todo", extra_data: { task_list_title: "Dinner", tasks } });
    expect(rest).toHaveLength(3);
  });

  test.each([
    ["/todo", { widget_type: "todo", extra_data: { task_list_title: "", tasks: [] } }],
    ["/poll", { widget_type: "poll", extra_data: { question: "", options: [] } }],
    [
      "/poll\nleek\n*tomato",
      { widget_type: "poll", extra_data: { question: "", options: ["leek", "tomato"] } },
    ],
  ])("or a poll may be short: %j", async (content, widget) => {
    expect(await submessagesOf("dev", await say("ada", "kitchen", content))).toMatchObject([[{}, widget]]);
  });

  test.each(["/pollen is in the air", "/todos", " /poll Soup?", "`/poll`", "/vote Soup?"])(
    "or a poll is not made by %j",
    async (content) => {
      const id = await say("ada", "kitchen", content);
      expect(await submessagesOf("dev", id)).toEqual([]);
      expect((await vote("dev", id)).body.code).toBe("BAD_REQUEST");
    },
  );
});

describe("widget_content", () => {
  test("makes any message interactive", async () => {
    const people = await startAll(harness, ["ada", "gus", "dev"]);
    const id = await say("echo", "kitchen", "Which soup?", { widget_content: form });
    for (const follower of people) await follower.catchUp();
    for (const follower of people) await follower.compare();
    expect(await submessagesOf("dev", id)).toEqual([[harness.user("echo").id, form]]);
    const poll = await say("echo", "kitchen", "Which soup?", { widget_content: soup });
    await expectSuccess(vote("dev", poll));
  });

  test.each<[string, unknown]>([
    ["of a kind that there is not", { widget_type: "chess", extra_data: {} }],
    ["without what it is made of", { widget_type: "poll" }],
    ["of another shape", { widget_type: "poll", extra_data: { question: 1, options: [] } }],
    ["that is no JSON", "{"],
    ["that is too long", { widget_type: "poll", extra_data: { question: "a".repeat(1001), options: [] } }],
  ])("%s is refused", async (_, widget_content) => {
    const message = { type: "channel", to: "kitchen", topic: "lunch", content: "x", widget_content };
    const { status, body } = await harness.as("ada").post("/messages", message);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });
});

describe("taking part", () => {
  test("is for people who can read the message, and reaches only them", async () => {
    const id = await say("ada", "leads", POLL);
    await expectSilence(harness, { hears: "ada", silent: ["cleo", "dev", "gus", "zed"] }, () =>
      expectSuccess(vote("ben", id)),
    );
    for (const name of ["dev", "gus", "zed"] as const) {
      const { status, body } = await vote(name, id);
      expect([status, body.msg], name).toEqual([400, "Invalid message(s)"]);
    }
  });

  test.each<[string, string, unknown, string]>([
    ["with what is for a list of tasks", POLL, { type: "strike", key: "0,canned" }, "BAD_REQUEST"],
    ["with what is for a poll", TASKS, { type: "vote", key: "canned,0", vote: 1 }, "BAD_REQUEST"],
    [
      "by asking something else without being the author",
      POLL,
      { type: "question", question: "?" },
      "BAD_REQUEST",
    ],
    [
      "by naming a list of somebody else's",
      TASKS,
      { type: "new_task_list_title", title: "x" },
      "BAD_REQUEST",
    ],
    ["with a vote that counts twice", POLL, { type: "vote", key: "canned,0", vote: 2 }, "BAD_REQUEST"],
    ["with what nobody knows", POLL, { type: "dance" }, "BAD_REQUEST"],
    ["with more than there is to say", POLL, { type: "vote", key: "a", vote: 1, why: "x" }, "BAD_REQUEST"],
    ["without JSON", POLL, "vote", "BAD_REQUEST"],
    [
      "with an answer that is too long",
      POLL,
      { type: "new_option", idx: 1, option: "a".repeat(1001) },
      "BAD_REQUEST",
    ],
  ])("%s is refused", async (_, content, action, code) => {
    const id = await say("ada", "kitchen", content);
    const { status, body } = await act("dev", id, action);
    expect([status, body.code]).toEqual([400, code]);
    expect(await submessagesOf("dev", id)).toHaveLength(1);
  });

  test("is refused in a plain message, and in one with ready-made replies", async () => {
    const plain = await say("ada", "kitchen", "Soup today?");
    expect((await vote("ada", plain)).body.msg).toBe("The message is not a poll or a list of tasks.");
    const replies = await say("echo", "kitchen", "Which soup?", { widget_content: form });
    expect((await vote("ada", replies)).body.msg).toBe(
      "The action 'vote' does not apply to this kind of message.",
    );
  });

  test("is refused when a message has the most submessages that are allowed", async () => {
    const id = await say("ada", "kitchen", POLL);
    await harness.state.database.query(sql`
      insert into submessages (organization_id, message_id, sender_id, kind, content)
      select ${harness.state.organizationId}, ${id}, ${harness.user("dev").id}, 'widget', '{"type":"vote","key":"canned,0","vote":1}'
      from generate_series(1, ${MAX_SUBMESSAGES - 2}::int)`);
    await expectSuccess(vote("gus", id));
    const { status, body } = await vote("gus", id);
    expect([status, body.msg]).toEqual([400, "A message has at most 10000 additions."]);
  });

  test("is sent in order when a queue is replayed from the log", async () => {
    const here = await listen(harness.as("gus"), { event_types: ["message", "submessage"] });
    const id = await say("ada", "kitchen", POLL);
    await expectSuccess(vote("dev", id));
    harness.state.recent.clear();
    removeQueue(harness.state, queuesOf(harness.state).byId.get(here.queueId) as Queue);
    const [sent, voted] = await here.heard();
    expect(sent.message).toMatchObject({ id, submessages: [{ content: JSON.stringify(soup) }] });
    expect(voted).toMatchObject({ type: "submessage", message_id: id });
  });
});
