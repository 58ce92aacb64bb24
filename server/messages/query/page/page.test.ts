/**
 * Compares pages of history, and the flags on them, with a naive model. The model keeps lists of all that
 * happened and searches them one by one. The events are random, drawn from a seed.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { Random } from "../../../../test/harness/random.ts";
import type { Channel } from "../../../channels/channel.ts";
import { subscribe, unsubscribe } from "../../../channels/subscriptions/subscribe.ts";
import { organization } from "../../../organization/organization.ts";
import { type Change, runStateChange } from "../../../platform/log/change.ts";
import { NEWEST_ANCHOR } from "./page-request.ts";

const people = ["ada", "dev", "elin", "gus"] as const;
type Person = (typeof people)[number];

interface Said {
  id: number;
  place: Place | null;
  topic: string;
  sender: Person;
  /** The people who received it. */
  to: ReadonlySet<CastName>;
}

interface Place {
  channel: Channel;
  subscribed: Map<Person, number>;
}

let harness: Harness;
const places: Place[] = [];
const said: Said[] = [];
/** `person id` of messages that were marked by hand, by kind of flag. */
const marks = { read: new Set<string>(), unread: new Set<string>(), starred: new Set<string>() };
let time = 0;

const random = new Random(20260721);

beforeAll(async () => {
  harness = await createHarness();
  const add = async (name: string, members: Person[], options: Record<string, unknown>) => {
    const channel = await harness.channel(name, members, options);
    places.push({ channel, subscribed: new Map(members.map((member) => [member, 0])) });
  };
  await add("hall", ["ada", "dev"], {});
  await add("vault", ["ada", "dev"], { isPrivate: true });
  await add("den", ["ada", "elin"], { isPrivate: true, isHistoryShared: true });
  await add("square", ["ada", "gus"], { isWebPublic: true });
  for (let step = 0; step < 300; step++) await act();
}, 60_000);
afterAll(() => harness?.close());

async function act(): Promise<void> {
  time++;
  const dice = random.upTo(20);
  if (dice < 2) await comeOrGo(random.pick(places), random.pick(people));
  else if (dice < 4) await mark(random.pick(people));
  else await say(random.pick(people));
}

async function say(sender: Person): Promise<void> {
  const place =
    random.upTo(4) === 0 ? null : random.pick(places.filter(({ subscribed }) => subscribed.has(sender)));
  const topic = place ? random.pick(["", "lunch", "✔ done", "plans"]) : "";
  const others = place ? [] : people.filter(() => random.upTo(2) === 0);
  const { body } = await harness.as(sender).post("/messages", {
    ...(place
      ? { type: "channel", to: place.channel.id, topic }
      : { type: "direct", to: [sender, ...others].map((name) => harness.user(name).id) }),
    content: `${time}`,
    read_by_sender: random.upTo(3) > 0,
  });
  const message = {
    id: body.id,
    place,
    topic,
    sender,
    to: new Set(place ? place.subscribed.keys() : [sender, ...others]),
  };
  said.push(message);
  const { body: got } = await harness.as(sender).get(`/messages/${body.id}`);
  if (got.message.flags.includes("read")) marks.read.add(`${sender} ${body.id}`);
}

async function comeOrGo(place: Place, person: Person): Promise<void> {
  // The owner stays, so that there is always someone to send messages.
  if (person === "ada") return;
  const change = place.subscribed.has(person) ? unsubscribe : subscribe;
  await runStateChange(harness.state, async (tx) => {
    await change(tx, [place.channel], [harness.user(person).user]);
  });
  if (place.subscribed.has(person)) place.subscribed.delete(person);
  else place.subscribed.set(person, said.at(-1)?.id ?? 0);
}

async function mark(person: Person): Promise<void> {
  const [flag, op] = random.pick([
    ["read", "add"],
    ["read", "add"],
    ["read", "remove"],
    ["starred", "add"],
    ["starred", "remove"],
  ] as const);
  const start = random.upTo(said.length + 1);
  const targets = said
    .slice(start, start + 1 + random.upTo(30))
    .filter((message) => canRead(person, message));
  const before = targets.filter((message) => isSet(person, message, flag));
  const changing = targets.filter(
    (message) =>
      before.includes(message) === (op === "remove") &&
      !(flag === "read" && op === "remove" && isElsewhere(person, message)),
  );
  const { body } = await harness
    .as(person)
    .post("/messages/flags", { messages: targets.map(({ id }) => id), op, flag });
  expect(body.messages, `${person} ${op} ${flag}`).toEqual(changing.map(({ id }) => id));
  for (const { id } of changing) {
    const key = `${person} ${id}`;
    if (flag === "starred") marks.starred[op === "add" ? "add" : "delete"](key);
    else {
      marks.read[op === "add" ? "add" : "delete"](key);
      marks.unread[op === "add" ? "delete" : "add"](key);
    }
  }
}

function isSet(person: Person, message: Said, flag: "read" | "starred"): boolean {
  return flag === "starred" ? marks.starred.has(`${person} ${message.id}`) : !isUnread(person, message);
}

function isElsewhere(person: Person, { place }: Said): boolean {
  return place !== null && !place.subscribed.has(person);
}

function canRead(person: Person | undefined, { place, to }: Said): boolean {
  if (!place) return person !== undefined && to.has(person);
  const { channel, subscribed } = place;
  if (!person) return channel.isWebPublic;
  const isOpen = channel.isWebPublic || (!channel.isPrivate && person !== "gus");
  if (!isOpen && !subscribed.has(person)) return false;
  return channel.isHistoryShared || to.has(person);
}

function isUnread(person: Person, message: Said): boolean {
  const key = `${person} ${message.id}`;
  if (isElsewhere(person, message)) return false;
  const since = message.place?.subscribed.get(person) ?? 0;
  const isCurrent = message.to.has(person) && message.id > since;
  return isCurrent ? !marks.read.has(key) : marks.unread.has(key);
}

function flagsOf(person: Person, message: Said): string[] {
  const flags = [];
  if (!isUnread(person, message)) flags.push("read");
  if (marks.starred.has(`${person} ${message.id}`)) flags.push("starred");
  if (!message.to.has(person)) flags.push("historical");
  return flags;
}

type Test = (person: Person, message: Said) => boolean;

/** Draws a narrow with its meaning, and whether it includes messages that were never received. */
function drawNarrow(): { narrow: unknown[]; matches: Test; withHistory: boolean } {
  const terms: [unknown, Test, boolean][] = [
    ...places.map(({ channel }): [unknown, Test, boolean] => [
      ["channel", channel.name],
      (_, { place }) => place?.channel === channel,
      true,
    ]),
    [{ operator: "stream", operand: places[0]?.channel.id }, (_, { place }) => place === places[0], true],
    [["topic", "LUNCH"], (_, { topic, place }) => place !== null && topic === "lunch", false],
    [["topic", "general chat"], (_, { topic, place }) => place !== null && topic === "", false],
    [["sender", "dev@demo.test"], (_, { sender }) => sender === "dev", false],
    [{ operator: "from", operand: harness.user("ada").id }, (_, { sender }) => sender === "ada", false],
    [["sender", "me"], (person, { sender }) => sender === person, false],
    [["is", "dm"], (_, { place }) => place === null, false],
    [["pm-with", "dev@demo.test, elin@demo.test"], isBetween("dev", "elin"), false],
    [{ operator: "dm", operand: [harness.user("ada").id] }, isBetween("ada"), false],
    [
      { operator: "dm-including", operand: harness.user("elin").id },
      (person, { place, to }) => !place && to.has("elin") && to.has(person),
      false,
    ],
    [["is", "starred"], (person, { id }) => marks.starred.has(`${person} ${id}`), true],
    [["is", "unread"], isUnread, true],
    [["is", "resolved"], (_, { topic }) => topic.startsWith("✔ "), false],
    [["channels", "all"], (_, { place }) => place !== null, true],
    [["channels", "public"], (_, { place }) => place !== null && !place.channel.isPrivate, true],
    [["near", "1"], () => true, false],
    [{ operator: "id", operand: said[100]?.id }, (_, { id }) => id === said[100]?.id, true],
  ];
  const chosen = Array.from({ length: random.upTo(4) }, () => ({
    term: random.pick(terms),
    negated: random.upTo(4) === 0,
  }));
  return {
    narrow: chosen.map(({ term: [term], negated }) => (negated ? negate(term) : term)),
    matches: (person, message) =>
      chosen.every(({ term: [given, matches], negated }) =>
        (given as unknown[])[0] === "near" ? true : matches(person, message) !== negated,
      ),
    withHistory: chosen.some(({ term, negated }) => term[2] && !negated),
  };
}

function isBetween(...others: Person[]): Test {
  return (person, { place, to }) => {
    const both = new Set<CastName>([person, ...others]);
    return !place && to.size === both.size && [...both].every((name) => to.has(name));
  };
}

function negate(term: unknown): unknown {
  const given = Array.isArray(term) ? { operator: term[0], operand: term[1] } : (term as object);
  return { ...given, negated: true };
}

test("a page holds exactly what the model says, at any anchor and for any narrow", async () => {
  let compared = 0;
  for (let round = 0; round < 350; round++) {
    const person = random.pick(people);
    const { narrow, matches, withHistory } = drawNarrow();
    const all = said.filter(
      (message) =>
        canRead(person, message) && (withHistory || message.to.has(person)) && matches(person, message),
    );
    const anchor = random.pick<number | string>([
      "newest",
      "oldest",
      "first_unread",
      random.pick(said).id,
      1,
      1e12,
      -5,
    ]);
    const [before, after] = [random.upTo(4) * 7, random.upTo(4) * 7];
    const include = before > 0 && after > 0 ? true : random.upTo(2) === 0;
    const params = {
      anchor: String(anchor),
      num_before: before,
      num_after: after,
      include_anchor: include,
      narrow,
    };
    const { status, body } = await harness.as(person).get("/messages", params);
    const label = `${round}: ${person} ${JSON.stringify(params)}`;
    if (status !== 200) {
      expect(["BAD_NARROW"], label).toContain(body.code);
      continue;
    }
    compared += all.length > 0 ? 1 : 0;
    const at = numberOf(anchor, all, person);
    const older = at === 0 || before === 0 ? [] : all.filter(({ id }) => id < at).slice(-before);
    const newer = at === NEWEST_ANCHOR ? [] : all.filter(({ id }) => id > at).slice(0, after);
    const self = include && at !== 0 && at !== NEWEST_ANCHOR ? all.filter(({ id }) => id === at) : [];
    const expected = [...older, ...self, ...newer];
    const got = body.messages as { id: number; flags: string[] }[];
    expect(
      got.map(({ id }) => id),
      label,
    ).toEqual(expected.map(({ id }) => id));
    expect(
      got.map(({ flags }) => flags),
      label,
    ).toEqual(expected.map((message) => flagsOf(person, message)));
    expect(body, label).toMatchObject({
      anchor: at,
      found_anchor: self.length > 0,
      found_oldest: at === 0 || older.length < before,
      found_newest: at === NEWEST_ANCHOR || newer.length < after,
      history_limited: false,
    });
  }
  expect(compared).toBeGreaterThan(120);
}, 60_000);

function numberOf(anchor: number | string, all: readonly Said[], person: Person): number {
  if (anchor === "newest") return NEWEST_ANCHOR;
  if (anchor === "oldest") return 0;
  if (anchor === "first_unread") return all.find((message) => isUnread(person, message))?.id ?? NEWEST_ANCHOR;
  return Math.max(anchor as number, 0);
}

test("a request by ids returns the messages that the model makes readable", async () => {
  for (const person of people) {
    const ids = said.map(({ id }) => id);
    const { body } = await harness.as(person).get("/messages", { message_ids: ids });
    const readable = said.filter((message) => canRead(person, message));
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual(readable.map(({ id }) => id));
    expect(body).not.toHaveProperty("anchor");
  }
});

test("a single message is shown only to people for whom the model makes it readable", async () => {
  for (const person of people) {
    for (const message of said.filter((_, index) => index % 4 === 0)) {
      const { status, body } = await harness.as(person).get(`/messages/${message.id}`);
      if (canRead(person, message)) expect(body.message.flags).toEqual(flagsOf(person, message));
      else expect([status, body.msg]).toEqual([400, "Invalid message(s)"]);
    }
  }
});

test("the unread messages in the snapshot are those of the model, each in its conversation", async () => {
  for (const person of people) {
    const { body } = await harness.as(person).post("/register", {
      fetch_event_types: [
        "message",
        "update_message_flags",
        "starred_messages",
        "recent_private_conversations",
      ],
      client_capabilities: { empty_topic_name: true, notification_settings_null: true },
    });
    const unread = said.filter((message) => canRead(person, message) && isUnread(person, message));
    const { streams, pms, huddles, count } = body.unread_msgs;
    const told = [...streams, ...pms, ...huddles].flatMap((each) => each.unread_message_ids as number[]);
    expect(told.sort((a, b) => a - b)).toEqual(unread.map(({ id }) => id));
    expect(count).toBe(unread.length);
    for (const { stream_id, topic, unread_message_ids } of streams) {
      const there = unread.filter(
        ({ place, topic: name }) => place?.channel.id === stream_id && name === topic,
      );
      expect(unread_message_ids).toEqual(there.map(({ id }) => id));
    }
    const starred = said.filter(
      (message) => canRead(person, message) && marks.starred.has(`${person} ${message.id}`),
    );
    expect(body.starred_messages).toEqual(starred.map(({ id }) => id));
    const received = said.filter((message) => message.to.has(person) && canRead(person, message));
    expect(body.max_message_id).toBe(received.at(-1)?.id);
    const recent = body.recent_private_conversations as { max_message_id: number; user_ids: number[] }[];
    expect(recent[0]?.max_message_id).toBe(received.filter(({ place }) => !place).at(-1)?.id);
  }
});

test("a channel's topics are those with a message that the model makes readable, newest first", async () => {
  for (const person of people) {
    for (const place of places) {
      const { status, body } = await harness
        .as(person)
        .get(`/users/me/${place.channel.id}/topics`, { allow_empty_topic_name: true });
      const readable = said.filter((message) => message.place === place && canRead(person, message));
      if (status !== 200) {
        expect(readable).toEqual([]);
        continue;
      }
      const ends = new Map(readable.map(({ topic, id }) => [topic, id]));
      const newestFirst = [...ends].sort(([, a], [, b]) => b - a);
      expect(body.topics).toEqual(newestFirst.map(([name, max_id]) => ({ name, max_id })));
    }
  }
});

test("a visitor without an account sees only web-public channels", async () => {
  await runStateChange(harness.state, async (tx) => enableSpectators(tx));
  const params = { anchor: "newest", num_before: 1000, num_after: 0 };
  const open = said.filter((message) => canRead(undefined, message));
  for (const term of [
    ["channels", "web-public"],
    ["channel", "square"],
  ]) {
    const { body } = await harness.nobody().get("/messages", { ...params, narrow: [term] });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual(open.map(({ id }) => id));
    expect(body.messages[0].flags).toEqual(["read", "historical"]);
  }
  for (const narrow of [
    [],
    [["channel", "hall"]],
    [["is", "dm"]],
    [["channels", "public"]],
    [
      ["channels", "web-public"],
      ["is", "starred"],
    ],
  ]) {
    expect((await harness.nobody().get("/messages", { ...params, narrow })).status).toBe(401);
  }
  for (const message of said) {
    const { status } = await harness.nobody().get(`/messages/${message.id}`);
    expect(status).toBe(canRead(undefined, message) ? 200 : 400);
  }
});

function enableSpectators(tx: Change): void {
  const now = tx.state.get(organization);
  tx.appendPatch({
    organization: { ...now, settings: { ...now.settings, enable_spectator_access: true } },
  });
}
