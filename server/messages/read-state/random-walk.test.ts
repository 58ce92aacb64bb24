/**
 * Whatever people do, what they have read is what a plain list of pairs says: one of each person and message.
 * Each run has a new seed, which the tests' titles name, and PARLEY_SEED repeats it.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChannelId } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type Person, PlainReading, people, type Sent } from "../../../test/harness/plain-reading.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { channels } from "../../channels/channel.ts";
import { sql } from "../../platform/db/sql.ts";
import { limits as scanLimits } from "../query/scan-unread.ts";
import { convertOne } from "./convert.ts";
import { isInRanges, isMarkedUnread } from "./topic-read-states.ts";
import { limits as unreadLimits } from "./unread-store.ts";

const STEPS = 60;
const topics = ["bread", "tea", "soup", "cake", "salt"];

console.log(howToRepeat("server/messages/read-state/random-walk.test.ts"));

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness?.close());

const flag = (name: CastName, op: "add" | "remove", ids: readonly number[]) =>
  expectSuccess(harness.as(name).post("/messages/flags", { messages: [...ids], op, flag: "read" }));

const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

function visibleTo(plain: PlainReading, name: Person): Sent[] {
  return [...plain.messages.values()].filter(
    (each) => each.channelId !== undefined || each.receivers.includes(name),
  );
}

/** The flags of all messages must be what the pairs say. */
async function compareFlags(plain: PlainReading, name: Person): Promise<void> {
  const ids = visibleTo(plain, name).map(({ id }) => id);
  if (ids.length === 0) return;
  const { messages } = await expectSuccess(harness.as(name).get("/messages", { message_ids: ids }));
  const shown = messages.flatMap((each: { id: number; flags: string[] }) =>
    each.flags.includes("read") ? [] : [each.id],
  );
  expect(ascending(shown), `flags of ${name}`).toEqual(ascending(plain.of(name).unread));
}

/**
 * So must be what somebody's client starts with, where it begins to read, what it finds, and the receipts.
 */
async function compareLists(plain: PlainReading, name: Person, random: Random): Promise<void> {
  const { unread, read } = plain.of(name);
  const caller = harness.as(name);
  const visible = visibleTo(plain, name);
  if (visible.length === 0) return;
  const sorted = ascending(unread);
  const registered = await expectSuccess(
    caller.post("/register", { fetch_event_types: ["message", "update_message_flags"] }),
  );
  await expectSuccess(caller.delete("/events", { queue_id: registered.queue_id }));
  const { streams, pms, count } = registered.unread_msgs;
  expect(count, `count of ${name}`).toBe(sorted.length);
  const listed = streams.map((each: { stream_id: number; topic: string; unread_message_ids: number[] }) => [
    `${each.stream_id} ${each.topic}`,
    each.unread_message_ids,
  ]);
  const byTopic = new Map<string, number[]>();
  for (const id of sorted) {
    const { channelId, topic } = plain.messages.get(id) as Sent;
    if (channelId === undefined) continue;
    const key = `${channelId} ${topic}`;
    byTopic.set(key, [...(byTopic.get(key) ?? []), id]);
  }
  expect(Object.fromEntries(listed), `unread_msgs of ${name}`).toEqual(Object.fromEntries(byTopic));
  const direct = sorted.filter((id) => plain.messages.get(id)?.channelId === undefined);
  expect(
    pms
      .flatMap((each: { unread_message_ids: number[] }) => each.unread_message_ids)
      .sort((a: number, b: number) => a - b),
    `direct messages of ${name}`,
  ).toEqual(direct);

  const message = random.pick(visible);
  const inChannel =
    message.channelId === undefined ? [] : [{ operator: "channel", operand: message.channelId }];
  const inTopic = [...inChannel, { operator: "topic", operand: message.topic }];
  const places: [object[], (each: Sent) => boolean][] = [
    [[], () => true],
    [inChannel, (each) => inChannel.length === 0 || each.channelId === message.channelId],
    ...(message.channelId === undefined
      ? []
      : [
          [inTopic, (each: Sent) => each.channelId === message.channelId && each.topic === message.topic] as [
            object[],
            (each: Sent) => boolean,
          ],
        ]),
  ];
  for (const [narrow, isThere] of places) {
    const expected = sorted.filter((id) => isThere(plain.messages.get(id) as Sent));
    const page = (terms: object[], params: object) =>
      expectSuccess(caller.get("/messages", { narrow: [...narrow, ...terms], ...params }));
    const first = await page([], { anchor: "first_unread", num_before: 0, num_after: 1 });
    // Without a narrow, messages from before a subscription are not looked at.
    if (expected.length > 0 && narrow.length > 0)
      expect(first.anchor, `first unread of ${name} in ${JSON.stringify(narrow)}`).toBe(expected[0]);
    const order = random.pick([
      { anchor: "oldest", num_before: 0, num_after: 500 },
      { anchor: "newest", num_before: 500, num_after: 0 },
    ]);
    const isUnread = { operator: "is", operand: "unread" };
    const found = await page([isUnread], order);
    expect(
      found.messages.map(({ id }: { id: number }) => id),
      `is:unread of ${name} in ${JSON.stringify(narrow)}`,
    ).toEqual(expected);
    const sender = random.pick(people);
    const bySender = await page(
      [isUnread, { operator: "sender", operand: harness.user(sender).email }],
      order,
    );
    expect(bySender.messages.map(({ id }: { id: number }) => id)).toEqual(
      expected.filter((id) => plain.messages.get(id)?.sender === sender),
    );
  }

  const own = visible.filter(({ hasMoved }) => !hasMoved);
  if (own.length === 0) return;
  const asked = random.pick(own);
  const receipts = await expectSuccess(caller.get(`/messages/${asked.id}/read_receipts`));
  const readers = asked.receivers.filter(
    (each) => each !== asked.sender && plain.of(each).read.has(asked.id),
  );
  expect(receipts.user_ids.sort(), `receipts of ${asked.id}`).toEqual(
    readers.map((each) => harness.user(each).id).sort(),
  );
  expect(read.size + unread.size).toBeLessThanOrEqual(plain.messages.size);
}

/** Stores what somebody has read of a channel as an older release did: in one row, message by message. */
async function storeAsBefore(name: Person, channelId: ChannelId): Promise<void> {
  const { database, organizationId } = harness.state;
  const userId = harness.user(name).id;
  await database.query(sql`
    with state as (
      select m.id, ${isInRanges(sql`m.id`)} as is_read, ${isMarkedUnread(sql`m.id`)} as is_marked
      from messages m
      left join read_states r on r.organization_id = ${organizationId} and r.user_id = ${userId}
        and r.recipient_id = m.recipient_id
      left join topic_read_states t on t.organization_id = ${organizationId} and t.user_id = ${userId}
        and t.channel_id = m.recipient_id and t.topic_id = m.topic_id
      where m.organization_id = ${organizationId} and m.recipient_id = ${channelId}
    ), gone as (
      delete from topic_read_states
      where organization_id = ${organizationId} and user_id = ${userId} and channel_id = ${channelId}
    )
    insert into read_states (organization_id, user_id, recipient_id, ranges, marked_unread)
    select ${organizationId}, ${userId}, ${channelId},
      coalesce(range_agg(int8range(id, id, '[]')) filter (where is_read), '{}'),
      coalesce(range_agg(int8range(id, id, '[]')) filter (where is_marked), '{}')
    from state
    on conflict (organization_id, user_id, recipient_id) do update
    set ranges = excluded.ranges, marked_unread = excluded.marked_unread`);
}

async function walk(random: Random, isFromBefore: boolean): Promise<void> {
  const plain = new PlainReading();
  const channelIds: ChannelId[] = [];
  for (let n = 0; n < 2; n++) {
    const subscribed = people.filter((name) => name === "ada" || random.next() < 0.8);
    const { id } = await harness.channel(`walk ${random.upTo(1_000_000)} ${n}`, subscribed);
    channelIds.push(id);
    plain.subscribed.set(id, new Set(subscribed));
  }
  const anyChannel = () => random.pick(channelIds);

  const send = async () => {
    for (let n = random.upTo(6) + 1; n > 0; n--) {
      const sender = random.pick(people);
      const channelId = random.next() < 0.9 ? anyChannel() : undefined;
      const other = random.pick(people.filter((name) => name !== sender));
      const topic = random.pick(topics);
      const to =
        channelId === undefined
          ? { type: "direct", to: [harness.user(other).id] }
          : { type: "channel", to: channelId, topic };
      const { id } = await expectSuccess(
        harness.as(sender).post("/messages", { ...to, content: "Hello", read_by_sender: true }),
      );
      const receivers =
        channelId === undefined ? [sender, other] : [...(plain.subscribed.get(channelId) ?? [])];
      plain.send({
        id,
        sender,
        channelId,
        topic: channelId === undefined ? "" : topic,
        receivers,
        hasMoved: false,
      });
    }
  };
  /** Messages that somebody may mark: some of a channel or a topic, often the oldest. */
  const some = (name: Person): number[] => {
    const channelId = random.next() < 0.85 ? anyChannel() : undefined;
    const all = plain
      .in(channelId, channelId !== undefined && random.next() < 0.5 ? random.pick(topics) : undefined)
      .filter((each) => channelId !== undefined || each.receivers.includes(name))
      .map(({ id }) => id);
    if (random.next() < 0.4)
      return all.filter((id) => plain.of(name).unread.has(id)).slice(0, random.upTo(8) + 1);
    return random.shuffle(all).slice(0, random.upTo(6) + 1);
  };
  const mark = async () => {
    const name = random.pick(people);
    const ids = some(name);
    if (ids.length === 0) return;
    await flag(name, "add", ids);
    plain.mark(name, ids);
  };
  const unmark = async () => {
    const name = random.pick(people);
    const ids = some(name);
    if (ids.length === 0) return;
    await flag(name, "remove", ids);
    plain.unmark(name, ids);
  };
  const markPlace = async () => {
    const name = random.pick(people);
    const channelId = anyChannel();
    const [message] = random.shuffle(plain.in(channelId));
    if (!message) return;
    const what = random.next();
    if (what < 0.6) {
      const params = { stream_id: channelId, topic_name: message.topic };
      await expectSuccess(harness.as(name).post("/mark_topic_as_read", params));
      plain.mark(
        name,
        plain.in(channelId, message.topic).map(({ id }) => id),
      );
    } else if (what < 0.85) {
      await expectSuccess(harness.as(name).post("/mark_stream_as_read", { stream_id: channelId }));
      plain.mark(
        name,
        plain.in(channelId).map(({ id }) => id),
      );
    } else {
      await expectSuccess(harness.as(name).post("/mark_all_as_read"));
      plain.markAll(name);
    }
  };
  const subscribe = async () => {
    const name = random.pick(people.filter((each) => each !== "ada"));
    const channelId = anyChannel();
    const channelName = harness.state.get(channels).byId.get(channelId)?.name as string;
    if (plain.isSubscribed(name, channelId)) {
      await expectSuccess(
        harness.as(name).delete("/users/me/subscriptions", { subscriptions: [channelName] }),
      );
      plain.leave(name, channelId);
    } else {
      await expectSuccess(
        harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: channelName }] }),
      );
      plain.subscribed.get(channelId)?.add(name);
    }
  };
  const move = async () => {
    const [message] = random.shuffle(plain.in(anyChannel()));
    if (!message) return;
    const channelId = random.next() < 0.5 ? (message.channelId as ChannelId) : anyChannel();
    const topic = random.pick(topics);
    if (channelId === message.channelId && topic === message.topic) return;
    const mode = random.pick(["change_one", "change_later", "change_all"]);
    const moved = plain
      .in(message.channelId, message.topic)
      .map(({ id }) => id)
      .filter(
        (id) => mode === "change_all" || (mode === "change_later" ? id >= message.id : id === message.id),
      );
    await expectSuccess(
      harness.as("ada").patch(`/messages/${message.id}`, {
        ...(topic !== message.topic && { topic }),
        ...(channelId !== message.channelId && { stream_id: channelId }),
        propagate_mode: mode,
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: false,
      }),
    );
    plain.move(moved, channelId, topic);
  };
  const remove = async () => {
    const [message] = random.shuffle(plain.in(anyChannel()));
    if (!message) return;
    await expectSuccess(harness.as("ada").delete(`/messages/${message.id}`));
    plain.delete(message.id);
  };
  const before = async () => storeAsBefore(random.pick(people), anyChannel());
  const convert = async () => {
    const userId = harness.user(random.pick(people)).id;
    await convertOne(harness.state, { userId, channelId: anyChannel() });
  };
  const verbs: [name: string, weight: number, run: () => Promise<void>][] = [
    ["send", 10, send],
    ["mark", 10, mark],
    ["unmark", 5, unmark],
    ["mark a place", 2, markPlace],
    ["join or leave", 2, subscribe],
    ["move", 5, move],
    ["delete", 1, remove],
    ...(isFromBefore
      ? ([
          ["store as before", 5, before],
          ["convert", 3, convert],
        ] as [string, number, () => Promise<void>][])
      : []),
  ];
  const deck = verbs.flatMap((verb) => Array<typeof verb>(verb[1]).fill(verb));
  const story: string[] = [];
  try {
    for (let step = 0; step < STEPS; step++) {
      const [what, , run] = random.pick(deck);
      story.push(what);
      await run();
      for (const name of people) await compareFlags(plain, name);
      await compareLists(plain, random.pick(people), random);
    }
  } catch (error) {
    console.log(`after ${story.length} steps: ${story.join(", ")}`);
    throw error;
  }
}

test(`what people have read is what a plain list says (seed ${seed})`, { timeout: 180_000 }, () =>
  walk(new Random(seed), false),
);

test(`the same in a half converted directory of an older release (seed ${seed})`, { timeout: 180_000 }, () =>
  walk(new Random(seed + 1), true),
);

test(`the same where much is unread, which is found by topic (seed ${seed})`, {
  timeout: 180_000,
}, async () => {
  const usual = [{ ...scanLimits }, { ...unreadLimits }];
  Object.assign(scanLimits, { many: 2, nearest: 1 });
  Object.assign(unreadLimits, { few: 2, window: 30 });
  try {
    await walk(new Random(seed + 2), true);
  } finally {
    Object.assign(scanLimits, usual[0]);
    Object.assign(unreadLimits, usual[1]);
  }
});
