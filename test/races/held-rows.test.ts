/**
 * Another transaction holds a row for as long as it likes. Calls that need that row wait. Nobody else may:
 * single statements of all organizations share a few connections, on which each waits for those before it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelId, GroupId, UserId } from "../../api/ids.ts";
import { type Channel, channels } from "../../server/channels/channel.ts";
import { editMessage } from "../../server/messages/edit/edit.ts";
import { postMessage } from "../../server/messages/send/post.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { type Sql, sql } from "../../server/platform/db/sql.ts";
import { asQuery } from "../../server/platform/db/transaction.ts";
import { expectSuccess } from "../harness/answers.ts";
import { type CastName, createHarness, type Harness, serverConnections } from "../harness/harness.ts";
import { type Listener, listen } from "../harness/listener.ts";

/** Longer than a test. So what waits for the row that is held is not answered before it is free. */
const LOCK_TIMEOUT_MS = 120_000;
/** So many calls of each kind that each of the shared connections gets some. */
const ROUNDS = 6;

let harness: Harness;
let held: ChannelId;
/** A message that others hold, and one that nobody does. */
let heldMessage: number;
let freeMessage: number;
let group: GroupId;
let listener: Listener;

beforeAll(async () => {
  harness = await createHarness({}, { ...serverConnections, limits: { lockTimeoutMs: LOCK_TIMEOUT_MS } });
  held = (await harness.channel("held", ["ada", "dev", "elin"])).id;
  await harness.channel("elsewhere", ["ada", "dev"]);
  const made = { name: "held", description: "", members: [harness.user("dev").id] };
  group = (await expectSuccess(harness.as("ada").post("/user_groups/create", made))).group_id;
  await expectSuccess(
    harness.as("zed").post("/users/me/subscriptions", { subscriptions: [{ name: "far" }] }),
  );
  await sayIn("dev", "held", "known");
  heldMessage = (await sayIn("ada", "held", "known")).id;
  freeMessage = (await sayIn("dev", "elsewhere", "known")).id;
  await write("dev", [harness.user("ben").id]);
  listener = await listen(harness.as("dev"));
});
afterAll(() => harness.close());

const sayIn = (name: CastName, to: string, topic: string) =>
  expectSuccess(harness.as(name).post("/messages", { type: "channel", to, topic, content: "Hello." }));
const write = (name: CastName, to: readonly number[]) =>
  expectSuccess(harness.as(name).post("/messages", { type: "direct", to, content: "Hello." }));

const organizationId = () => harness.state.organizationId;
const pair = (one: CastName, other: CastName) =>
  [harness.user(one).id, harness.user(other).id].sort((a, b) => a - b);

let count = 0;
/** A topic that nobody has seen yet. */
const newTopic = () => `topic ${++count}`;

/** What is held, and what needs it. */
const rows: readonly [what: string, hold: () => Sql, need: () => Promise<unknown>[]][] = [
  [
    "a topic that is being made",
    () =>
      sql`insert into topics (organization_id, channel_id, name) values (${organizationId()}, ${held}, 'new')`,
    () => [sayIn("ada", "held", "new"), sayIn("dev", "held", "New"), moveTo("new")],
  ],
  [
    "a topic",
    () => sql`select from topics where channel_id = ${held} for update`,
    () => [sayIn("dev", "held", "known"), moveTo("known"), followTopic("known")],
  ],
  [
    "a conversation that is being made",
    () => sql`
      insert into conversations (organization_id, user_ids) values (${organizationId()}, ${pair("ada", "dev")})`,
    () => [write("ada", [harness.user("dev").id]), write("dev", [harness.user("ada").id])],
  ],
  [
    "a conversation",
    () => sql`select from conversations for update`,
    () => [write("dev", [harness.user("ben").id])],
  ],
  [
    "a message",
    () => sql`select from messages where id = ${heldMessage} for update`,
    () => [...changesOfOne("ada", heldMessage)],
  ],
  [
    "a channel",
    () => sql`select from channels where id = ${held} for update`,
    () => [
      sayIn("ada", "held", newTopic()),
      sayIn("dev", "held", newTopic()),
      expectSuccess(harness.as("ada").patch(`/streams/${held}`, { description: newTopic() })),
    ],
  ],
  [
    "a channel that is being made",
    () => sql`insert into channels (organization_id, name) values (${organizationId()}, 'soon')`,
    () => [harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "soon" }] })],
  ],
  [
    "a group",
    () => sql`select from groups where id = ${group} for update`,
    () => [expectSuccess(harness.as("ada").patch(`/user_groups/${group}`, { description: newTopic() }))],
  ],
  [
    "a group that is being made",
    () => sql`insert into groups (organization_id, name) values (${organizationId()}, 'soon')`,
    () => [harness.as("ada").post("/user_groups/create", { name: "soon", description: "", members: [] })],
  ],
  [
    "the queues of everyone",
    () => sql`select from event_queues for update`,
    () => [harness.services.queues.save(), harness.services.queues.collect()],
  ],
  [
    "queues that are being deleted",
    () => sql`delete from event_queues where organization_id = ${organizationId()}`,
    () => [harness.services.queues.save(), endQueue()],
  ],
  [
    "the organization and its settings",
    () => sql`select from organizations where id = ${organizationId()} for update`,
    () => [
      expectSuccess(harness.as("ada").patch("/realm", { description: newTopic() })),
      write("ada", [harness.user("elin").id, harness.user("cleo").id]),
    ],
  ],
];

/** Moves a message of dev's to a topic of the channel that is held. */
async function moveTo(topic: string): Promise<unknown> {
  const { id } = await sayIn("ada", "elsewhere", "to be moved");
  return expectSuccess(harness.as("ada").patch(`/messages/${id}`, { topic, stream_id: held }));
}

/** A reaction that comes and goes, a star, a mark as read and an edit of one message. */
function changesOfOne(name: CastName, id: number): Promise<unknown>[] {
  const emoji = { emoji_name: "octopus" };
  const flag = (op: string, which: string) =>
    expectSuccess(harness.as(name).post("/messages/flags", { messages: [id], op, flag: which }));
  const react = async () => {
    await expectSuccess(harness.as(name).post(`/messages/${id}/reactions`, emoji));
    await expectSuccess(harness.as(name).delete(`/messages/${id}/reactions`, emoji));
  };
  const edit = expectSuccess(harness.as(name).patch(`/messages/${id}`, { content: newTopic() }));
  return [react(), flag("add", "starred"), flag("add", "read"), edit];
}

function followTopic(topic: string): Promise<unknown> {
  const policy = { stream_id: held, topic, visibility_policy: 3 };
  return expectSuccess(harness.as("dev").post("/user_topics", policy));
}

async function endQueue(): Promise<unknown> {
  const { queue_id } = await expectSuccess(harness.as("dev").post("/register"));
  return expectSuccess(harness.as("dev").delete("/events", { queue_id }));
}

/** Calls that need nothing of what is held. */
async function callElsewhere(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      sayIn("dev", "elsewhere", "known"),
      sayIn("dev", "elsewhere", newTopic()),
      sayIn("zed", "far", "known"),
      sayIn("zed", "far", newTopic()),
      ...(round < 2 ? changesOfOne("dev", freeMessage) : []),
      listener.heard(),
      health(),
    ]);
  }
}

async function health(): Promise<void> {
  expect((await harness.app.inject("/health")).statusCode).toBe(200);
}

/** A transaction on a connection of its own. The function that it returns ends it. */
async function hold(statement: Sql): Promise<() => Promise<void>> {
  const client = new pg.Client(harness.services.database.connection);
  await client.connect();
  await client.query("begin");
  await client.query(asQuery(statement));
  return async () => {
    await client.query("rollback");
    await client.end();
  };
}

describe("while a transaction holds", () => {
  test.each(rows)(
    "%s, sends, polls and checks of health elsewhere are answered",
    async (_what, row, need) => {
      await callElsewhere();
      const release = await hold(row());
      const needing = need();
      try {
        await sleep(50);
        await callElsewhere();
      } finally {
        await release();
      }
      await Promise.all(needing);
    },
  );
});

test("who writes to a topic that messages are being moved to does not wait for the end of the move", async () => {
  const { id } = await sayIn("dev", "held", "moved at length");
  const { viewer } = harness.user("ada");
  await changeState(viewer, async (tx) => {
    await editMessage(tx, id, { topic: "moved to", propagateMode: "change_all" });
    await sayIn("elin", "held", "moved to");
  });
  const { message } = await expectSuccess(harness.as("dev").get(`/messages/${id}`));
  expect(message.subject).toBe("moved to");
});

test("who writes to the topic of a notice does not wait for the change that posts it", async () => {
  const { viewer } = harness.user("ada");
  const channel = harness.state.get(channels).byId.get(held) as Channel;
  await changeState(viewer, async (tx) => {
    await postMessage(tx, { to: { channel, topic: "notices" }, content: "Something changed." });
    await postMessage(tx, { to: { userIds: [harness.user("cleo").id as UserId] }, content: "For you." });
    await sayIn("elin", "held", "notices");
  });
});
