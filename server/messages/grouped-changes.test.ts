/** Reactions, stars, collapsed messages, marks as read and edits in groups are what they are one by one. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError } from "../../api/errors.ts";
import { expectSuccess, sayIn } from "../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { type Listener, listen } from "../../test/harness/listener.ts";
import { Node } from "../../test/harness/node.ts";
import { Random } from "../../test/harness/random.ts";
import { howToRepeat, seed } from "../../test/harness/seed.ts";
import { untilWaiting } from "../../test/harness/waiting.ts";
import { users } from "../people/user.ts";
import { changeContent } from "../people/viewer/change.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import { sql } from "../platform/db/sql.ts";
import { groupSizesOf } from "../platform/log/log-writer.ts";
import { deleteMessage } from "./delete/delete.ts";
import { changeText } from "./edit/change-text.ts";
import { prepareText } from "./edit/edit-text.ts";
import { changeFlags } from "./flags/actions.ts";
import { changeReaction } from "./reactions/change-reaction.ts";

const FILE = "server/messages/grouped-changes.test.ts";
const people = ["ada", "cleo", "dev", "elin", "gus"] as const satisfies CastName[];
const MESSAGES = 8;
/** Three organizations do all acts, on a machine that may be busy. */
const WALK_TIMEOUT_MS = 120_000;

let grouped: World;
/** Where the acts are done again, one by one: in the order of the log, and in that of the requests. */
let single: World;
let listed: World;
beforeAll(async () => {
  grouped = await makeWorld();
  single = await makeWorld();
  listed = await makeWorld();
});
afterAll(async () => {
  for (const world of [grouped, single, listed]) await world?.harness.close();
});

interface World {
  harness: Harness;
  /** In a public channel, a private one without shared history, and to people. */
  ids: number[];
  listeners: Map<CastName, Listener>;
}

async function makeWorld(): Promise<World> {
  const harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
  await harness.channel("leads", ["ada", "dev", "elin"], { isPrivate: true });
  const say = sayIn(() => harness);
  const ids: number[] = [];
  for (let count = 0; count < MESSAGES; count++) {
    const direct = { type: "direct", topic: undefined };
    const place = count % 4;
    if (place === 3) ids.push(await say("ada", [harness.user("gus").id, harness.user("elin").id], direct));
    else ids.push(await say("ada", place === 2 ? "leads" : "kitchen"));
  }
  const listeners = new Map<CastName, Listener>();
  for (const name of people) {
    const types = { event_types: ["reaction", "update_message_flags", "update_message"] };
    listeners.set(name, await listen(harness.as(name), types));
  }
  return { harness, ids, listeners };
}

/** Who does what to which message. */
type Act = { name: CastName; message: number } & (
  | { kind: "reaction"; op: "add" | "remove"; emoji: string }
  | { kind: "flag"; op: "add" | "remove"; flag: "starred" | "collapsed" | "read"; also: number }
  | { kind: "edit"; content: string }
);

/** Some give somebody a flag, or mention everybody, or can't be made by this person. */
function randomEdit(random: Random): Pick<Act & { kind: "edit" }, "kind" | "name" | "content"> {
  const content = random.pick([
    "**now** NUMBER",
    "now NUMBER",
    "NUMBER for @**all**",
    "NUMBER @**Gus Pike**",
  ]);
  const name = random.pick(["ada", "ada", "ada", "dev"] as const);
  return { kind: "edit", name, content: content.replace("NUMBER", String(random.upTo(100_000))) };
}

function randomActs(random: Random, count: number): Act[] {
  return Array.from({ length: count }, () => {
    const act = { name: random.pick(people), message: random.upTo(MESSAGES) };
    const op = random.pick(["add", "add", "remove"] as const);
    if (random.upTo(4) === 0) return { ...act, ...randomEdit(random) };
    if (random.upTo(2) === 0) {
      return { ...act, kind: "reaction", op, emoji: random.pick(["octopus", "+1", "thumbs_up", "nonsense"]) };
    }
    const flag = random.pick(["starred", "collapsed", "read", "read"] as const);
    // Marks as unread are made alone, in no order with marks as read.
    return { ...act, kind: "flag", op: flag === "read" ? "add" : op, flag, also: random.upTo(MESSAGES) };
  });
}

/** What the act gives: the changed messages, or the error. */
async function perform({ harness, ids }: World, act: Act, viewer = harness.user(act.name).viewer) {
  const idOf = (message: number) => ids[message] as number;
  try {
    if (act.kind === "reaction") {
      const emoji = { name: act.emoji, code: undefined, type: undefined };
      return await changeReaction({ viewer, op: act.op, messageId: idOf(act.message), emoji });
    }
    if (act.kind === "edit") {
      const text = await prepareText(viewer, act.content);
      const messageId = idOf(act.message);
      return (await changeText({ viewer, messageId, text, previousHash: undefined })) && undefined;
    }
    const messageIds = [idOf(act.message), idOf(act.also)];
    const changed = await changeFlags(viewer, { op: act.op, flag: act.flag, messageIds });
    return changed.messageIds.map((id) => ids.indexOf(id)).sort();
  } catch (error) {
    if (error instanceof ApiError) return `${error.declaration.code} ${error.message}`;
    throw error;
  }
}

/** The places of messages that people can have unread. */
const receivedBy = { dev: [0, 1, 2, 4, 5, 6], gus: [0, 1, 3, 4, 5, 7], elin: [2, 3, 6, 7] };

async function markAllUnread({ harness, ids }: World): Promise<void> {
  for (const name of ["dev", "gus", "elin"] as const) {
    const messageIds = receivedBy[name].map((message) => ids[message] as number);
    await changeFlags(harness.user(name).viewer, { op: "remove", flag: "read", messageIds });
  }
}

/** The flags that each person has on the messages that they can read. */
async function flagsOfAll({ harness, ids }: World) {
  const flags: Record<string, unknown> = {};
  for (const name of people) {
    const { messages } = await expectSuccess(harness.as(name).get("/messages", { message_ids: ids }));
    flags[name] = messages.map((each: { id: number; flags: string[] }) => [ids.indexOf(each.id), each.flags]);
  }
  return flags;
}

/** What everybody hears and what is stored, with the messages by their places. */
async function observe({ harness, ids, listeners }: World) {
  const place = (id: number) => ids.indexOf(id);
  const heard: Record<string, unknown[]> = {};
  for (const [name, listener] of listeners) {
    heard[name] = (await listener.heard()).map(({ message_id, messages, message_ids, ...event }) => ({
      ...event,
      ...(event.edit_timestamp !== undefined && { edit_timestamp: "now" }),
      ...(message_id !== undefined && { message: place(message_id) }),
      ...(messages !== undefined && { messages: messages.map(place) }),
    }));
  }
  const { database, organizationId } = harness.state;
  const reactions = await database.query<{ messageId: number }>(sql`
    select message_id as "messageId", user_id, reaction_type, emoji_code, emoji_name from reactions
    where organization_id = ${organizationId} order by message_id, id`);
  const flags = await database.query<{ messageId: number }>(sql`
    select message_id as "messageId", user_id, flags from message_flags
    where organization_id = ${organizationId} order by message_id, user_id`);
  const placed = (rows: { messageId: number }[]) =>
    rows.map(({ messageId, ...row }) => ({ ...row, message: place(messageId) }));
  const texts = await database.query<{ messageId: number }>(sql`
    select id as "messageId", content, rendered_content, facts, edited_at is not null as is_edited from messages
    where organization_id = ${organizationId} order by id`);
  const edits = await database.query<{ messageId: number }>(sql`
    select message_id as "messageId", editor_id, previous_content, previous_rendered_content, previous_topic
    from message_edits where organization_id = ${organizationId} order by message_id, id`);
  return {
    heard,
    seen: await flagsOfAll({ harness, ids, listeners }),
    reactions: placed(reactions),
    flags: placed(flags),
    texts: placed(texts),
    edits: placed(edits),
  };
}

const hasChanged = (answer: unknown) => answer === undefined || (Array.isArray(answer) && answer.length > 0);

/** The acts that changed something, in the order of the log after a position. */
async function inOrderOfLog(
  { harness, ids }: World,
  acts: readonly Act[],
  answers: readonly unknown[],
  after: number,
): Promise<Act[]> {
  const nameOf = new Map<number, string>(people.map((name) => [harness.user(name).id, name]));
  const rows = await harness.state.database.query<{
    // biome-ignore lint/suspicious/noExplicitAny: three kinds of events.
    payload: any;
    audience: { userIds?: number[] };
  }>(sql`
    select payload, audience from events
    where organization_id = ${harness.state.organizationId} and position > ${after}
      and type in ('reaction', 'update_message_flags', 'update_message')
    order by position`);
  const waiting = acts
    .map((act, index) => ({ act, key: keyOf(act, answers[index]) }))
    .filter((_, index) => hasChanged(answers[index]));
  return rows.map(({ payload, audience }) => {
    const key = keyOfEvent(payload, nameOf.get(payload.user_id ?? audience.userIds?.[0]), ids);
    // One person's acts on one message keep their order, so the first with this key is the one.
    const index = waiting.findIndex((each) => each.key === key);
    expect(index, `${key} among ${waiting.map((each) => each.key).join("; ")}`).toBeGreaterThan(-1);
    return waiting.splice(index, 1)[0]?.act as Act;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: three kinds of events.
function keyOfEvent(payload: any, name: string | undefined, ids: readonly number[]): string {
  const place = (id: number) => ids.indexOf(id);
  if (payload.type === "reaction") return `reaction ${payload.op} ${name} ${place(payload.message_id)}`;
  const { update } = payload;
  if (update) return `edit ${place(update.message_id)} ${update.content}`;
  return `${payload.flag} ${payload.op} ${name} ${payload.messages.map(place).sort()}`;
}

function keyOf(act: Act, answer: unknown): string {
  if (act.kind === "edit") return `edit ${act.message} ${act.content}`;
  return act.kind === "reaction"
    ? `reaction ${act.op} ${act.name} ${act.message}`
    : `${act.flag} ${act.op} ${act.name} ${answer}`;
}

test(
  `in groups they give the events, rows and answers that they give one by one (seed ${seed})`,
  async () => {
    const random = new Random(seed);
    const sizes = groupSizesOf(grouped.harness.state.database);
    for (let round = 0; round < 4; round++) {
      for (const world of [grouped, single, listed]) await markAllUnread(world);
      const acts = randomActs(random, 50);
      const { position } = grouped.harness.state;
      const answers = await Promise.all(acts.map((act) => perform(grouped, act)));
      for (const act of await inOrderOfLog(grouped, acts, answers, position)) await perform(single, act);
      expect(await observe(grouped), howToRepeat(FILE)).toEqual(await observe(single));
      // Answers depend on what the same person did before, and not on others.
      const inOrder: unknown[] = [];
      for (const act of acts) inOrder.push(await perform(listed, act));
      expect(answers, howToRepeat(FILE)).toEqual(inOrder);
    }
    expect(
      sizes.counts.slice(3).reduce((sum, count) => sum + count),
      "larger groups",
    ).toBeGreaterThan(0);
  },
  WALK_TIMEOUT_MS,
);

test("on two nodes they give one log, and all that is announced is stored", async () => {
  const { harness } = grouped;
  const node = await Node.start(harness.services.config, harness.state.database.connection);
  const random = new Random(seed + 1);
  const other = (name: CastName): Viewer => {
    const { viewer } = harness.user(name);
    return {
      ...viewer,
      state: node.state,
      user: node.state.get(users).byId.get(viewer.user.id) ?? viewer.user,
    };
  };
  await markAllUnread(grouped);
  const { edits: earlier } = await observe(grouped);
  const editsBefore = earlier.length;
  const before = await reactionsOf(grouped);
  const acts = randomActs(random, 200);
  const answers = await Promise.all(
    acts.map((act) => perform(grouped, act, random.upTo(2) === 0 ? undefined : other(act.name))),
  );
  await harness.state.catchUp();
  const made = acts.filter((act, index) => act.kind === "reaction" && hasChanged(answers[index]));
  const edited = acts.filter((act, index) => act.kind === "edit" && hasChanged(answers[index]));
  const { heard, edits } = await observe(grouped);
  const updates = (heard.ada as { type: string }[]).filter(({ type }) => type === "update_message");
  expect(updates).toHaveLength(edited.length);
  expect(edits).toHaveLength(editsBefore + edited.length);
  for (const name of ["dev", "gus", "elin"] as const) {
    const read = (heard[name] as { flag?: string; op: string; messages: number[] }[])
      .filter(({ flag, op }) => flag === "read" && op === "add")
      .flatMap(({ messages }) => messages);
    const answered = acts.flatMap((act, index) =>
      act.kind === "flag" && act.flag === "read" && act.name === name ? (answers[index] as number[]) : [],
    );
    expect([...read].sort(), name).toEqual([...answered].sort());
    expect(new Set(read).size, `each message becomes read for ${name} once`).toBe(read.length);
  }
  // Ada can read all of the messages.
  const reactions = (heard.ada as { type: string; op: string }[]).filter(({ type }) => type === "reaction");
  expect(reactions).toHaveLength(made.length);
  const added = reactions.filter(({ op }) => op === "add").length;
  expect((await reactionsOf(grouped)) - before).toBe(2 * added - made.length);
  await node.stop();
});

async function reactionsOf({ harness }: World): Promise<number> {
  const [row] = await harness.state.database.query<{ count: number }>(
    sql`select count(*) as count from reactions where organization_id = ${harness.state.organizationId}`,
  );
  return row?.count ?? 0;
}

test("a message that is deleted in between keeps neither stars nor reactions, and others keep theirs", async () => {
  const { harness, ids } = grouped;
  const id = await sayIn(() => harness)("ada", "kitchen");
  const world = { ...grouped, ids: [...ids, id] };
  const on = (message: number): Act[] => [
    { name: "dev", message, kind: "reaction", op: "add", emoji: "tada" },
    { name: "gus", message, kind: "flag", op: "add", flag: "collapsed", also: message },
    { name: "cleo", message, kind: "reaction", op: "add", emoji: "tada" },
    { name: "ada", message, kind: "edit", content: "still here" },
  ];
  let waiting: Promise<unknown[]> | undefined;
  await changeContent(harness.user("ada").viewer, async (tx) => {
    await deleteMessage(tx, id);
    waiting = Promise.all(on(MESSAGES).map((act) => perform(world, act)));
    const others = await Promise.all(on(0).map((act) => perform(world, act)));
    expect(others.filter((answer) => typeof answer === "string")).toEqual([]);
    await untilWaiting(harness.state.database, 1);
  });
  const refused = "BAD_REQUEST Invalid message(s)";
  expect(await waiting).toEqual([refused, refused, refused, refused]);
  const [row] = await harness.state.database.query<{ count: number }>(sql`
    select (select count(*) from reactions where message_id = ${id})
      + (select count(*) from message_flags where message_id = ${id}) as count`);
  expect(row?.count).toBe(0);
});

test("a reaction to a message that is gone is refused while another waits for one that is held", async () => {
  const { harness } = grouped;
  const id = await sayIn(() => harness)("ada", "kitchen");
  const react = (name: CastName, to: number) =>
    harness.as(name).post(`/messages/${to}/reactions`, { emoji_name: "tada" });
  let held: Promise<unknown> | undefined;
  await harness.state.database.transaction(async (tx) => {
    await tx.query(sql`select from messages where id = ${id} for update`);
    held = expectSuccess(react("dev", id));
    await untilWaiting(harness.state.database, 1);
    expect((await react("ada", 2 ** 40)).status).toBe(400);
  });
  await held;
});

test("a star whose row somebody else changes waits alone", async () => {
  const { harness, ids } = grouped;
  const { database, organizationId } = harness.state;
  const star = (op: "add" | "remove", name: CastName): Act => {
    return { name, message: 1, also: 1, kind: "flag", op, flag: "starred" };
  };
  await perform(grouped, star("add", "dev"));
  await perform(grouped, star("remove", "gus"));
  let waiting: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    await tx.query(sql`
      update message_flags set flags = flags | 2
      where organization_id = ${organizationId} and user_id = ${harness.user("dev").id} and message_id = ${ids[1]}`);
    waiting = perform(grouped, star("remove", "dev"));
    expect(await perform(grouped, star("add", "gus"))).toEqual([1]);
    await untilWaiting(database, 1);
  });
  expect(await waiting).toEqual([1]);
  const rows = await database.query<{ flags: number }>(sql`
    select flags from message_flags
    where organization_id = ${organizationId} and user_id = ${harness.user("dev").id} and message_id = ${ids[1]}`);
  expect(rows).toEqual([{ flags: 2 }]);
});

test.each(["reactions", "message_flags", "read_states"])(
  "what the database refuses to write to %s fails alone",
  async (table) => {
    const { harness } = grouped;
    const { database } = harness.state;
    const elin = harness.user("elin").id;
    await database.transaction(({ client }) =>
      client.query(`alter table ${table} add constraint refused check (user_id <> ${elin}) not valid`),
    );
    const say = sayIn(() => harness);
    const all = people.map((name) => harness.user(name).id);
    const sayOne = () =>
      table === "read_states" ? say("ada", all, { type: "direct", topic: undefined }) : say("ada", "kitchen");
    const world = { ...grouped, ids: [await sayOne(), await sayOne()] };
    const flag = table === "read_states" ? "read" : "starred";
    const acts = people.flatMap((name): Act[] =>
      [0, 1].map((message) =>
        table === "reactions"
          ? { name, message, kind: "reaction", op: "add", emoji: "rocket" }
          : { name, message, kind: "flag", op: "add", flag, also: message },
      ),
    );
    const outcomes = await Promise.allSettled(acts.map((act) => perform(world, act)));
    const failed = acts.filter((_, index) => outcomes[index]?.status === "rejected");
    expect(new Set(failed.map(({ name }) => name))).toEqual(new Set(["elin"]));
    await database.transaction(({ client }) => client.query(`alter table ${table} drop constraint refused`));
  },
);

test("a text that the database refuses to write fails alone", async () => {
  const { harness } = grouped;
  const { database } = harness.state;
  const say = sayIn(() => harness);
  const ids: number[] = [];
  for (let count = 0; count < 5; count++) ids.push(await say("ada", "kitchen"));
  await database.transaction(({ client }) =>
    client.query("alter table message_edits add constraint refused check (message_id % 5 <> 0) not valid"),
  );
  const world = { ...grouped, ids };
  const acts = ids.map((_, message): Act => ({ name: "ada", message, kind: "edit", content: "once more" }));
  const outcomes = await Promise.allSettled(acts.map((act) => perform(world, act)));
  await database.transaction(({ client }) =>
    client.query("alter table message_edits drop constraint refused"),
  );
  const rows = await database.query<{ id: number }>(sql`
    select id from messages where id = any(${ids}::bigint[]) and content = 'once more' order by id`);
  const written = ids.filter((id) => id % 5 !== 0);
  expect(outcomes.map(({ status }) => status)).toEqual(
    ids.map((id) => (written.includes(id) ? "fulfilled" : "rejected")),
  );
  expect(rows.map(({ id }) => id)).toEqual(written);
});

test("of two edits of one text at the same moment, the second is refused if it names the text before", async () => {
  const { harness } = grouped;
  const id = await sayIn(() => harness)("ada", "kitchen", { content: "as it was" });
  const { viewer } = harness.user("ada");
  const previousHash = createHash("sha256").update("as it was").digest("hex");
  const edits = ["one", "two"].map(async (content) => {
    const text = await prepareText(viewer, content);
    return changeText({ viewer, messageId: id, text, previousHash });
  });
  const outcomes = await Promise.allSettled(edits);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
