import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../../test/harness/harness.ts";

const people: readonly CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo"];
const texts = ["@**Cleo Marsh** look", "@**all** look", "@*cooks* look", "@**topic** look", "soup", "Hello"];

let harness: Harness;
const channelIds = new Map<string, number>();
/** By the text and the place where it is now, in the order in which they were sent. */
const ids = new Map<string, number>();

beforeAll(async () => {
  harness = await createHarness();
  const channels: readonly [name: string, subscribers: CastName[], isPrivate: boolean][] = [
    ["kitchen", ["ada", "ben", "cleo", "gus"], false],
    ["square", ["ada", "dev"], false],
    ["leads", ["ada", "cleo"], true],
    ["attic", ["ada", "elin"], true],
  ];
  for (const [name, subscribers, isPrivate] of channels) {
    channelIds.set(name, (await harness.channel(name, subscribers, { isPrivate })).id);
  }
  const cooks = {
    name: "cooks",
    description: "",
    members: [harness.user("cleo").id, harness.user("dev").id],
  };
  await expectSuccess(harness.as("ada").post("/user_groups/create", cooks));
  for (const name of people) {
    if (name !== "echo")
      await expectSuccess(harness.as(name).post("/users/me/alert_words", { alert_words: ["soup"] }));
  }
  for (const place of channelIds.keys()) {
    const topic = `for ${place}`;
    for (const name of ["cleo", "ben"] as const) await say(name, "kitchen", { topic, content: "I am here." });
    for (const content of texts) {
      ids.set(`${content} in ${place}`, await say("ada", "kitchen", { topic, content }));
    }
  }
  for (const name of ["ben", "cleo", "gus"] as const) {
    const starred = [...ids].filter(([text]) => text.startsWith("Hello")).map(([, id]) => id);
    const change = { messages: starred, op: "add", flag: "starred" };
    await expectSuccess(harness.as(name).post("/messages/flags", change));
  }
  for (const [place, stream_id] of channelIds) {
    const id = ids.get(`Hello in ${place}`);
    const move = { stream_id, propagate_mode: "change_all", topic: "moved" };
    if (place !== "kitchen") await expectSuccess(harness.as("ada").patch(`/messages/${id}`, move));
  }
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);

async function flagsOf(name: CastName, id: number): Promise<readonly string[]> {
  const { status, body } = await harness.as(name).get(`/messages/${id}`);
  return status === 200 ? body.message.flags : [];
}

async function find(name: CastName, ...narrow: unknown[]): Promise<string[]> {
  const page = { anchor: "oldest", num_before: 0, num_after: 100, narrow };
  const { messages } = await expectSuccess(harness.as(name).get("/messages", page));
  const found = new Set(messages.map(({ id }: { id: number }) => id));
  return [...ids].filter(([, id]) => found.has(id)).map(([text]) => text);
}

/** The texts on which a person has one of these flags. */
async function flagged(name: CastName, ...flags: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [text, id] of ids) {
    if ((await flagsOf(name, id)).some((flag) => flags.includes(flag))) found.push(text);
  }
  return found;
}

const is = (operand: string) => ({ operator: "is", operand });
const isNot = (operand: string) => ({ ...is(operand), negated: true });

const narrows: readonly [kind: string, flags: readonly string[]][] = [
  ["mentioned", ["mentioned", "wildcard_mentioned"]],
  ["alerted", ["has_alert_word"]],
  ["starred", ["starred"]],
];

test.each(narrows)("is:%s lists the messages that have the flag, also after moves", async (kind, flags) => {
  for (const name of people) expect(await find(name, is(kind)), name).toEqual(await flagged(name, ...flags));
});

test("a term and its negation share a channel's messages among them", async () => {
  const inSquare = { operator: "channel", operand: "square" };
  for (const name of people.filter((each) => each !== "gus")) {
    const all = await find(name, inSquare);
    for (const [kind] of narrows) {
      const both = [...(await find(name, inSquare, is(kind))), ...(await find(name, inSquare, isNot(kind)))];
      expect(both.sort(), `${name}, ${kind}`).toEqual([...all].sort());
    }
  }
});

test("a mention by name stays with the person when the message moves to a public channel", async () => {
  const moved = "@**Cleo Marsh** look in square";
  expect(await find("cleo", is("mentioned"))).toContain(moved);
  for (const operand of ["me", harness.user("cleo").id]) {
    expect(await find("cleo", { operator: "mentions", operand })).toContain(moved);
  }
  expect(await find("cleo", is("alerted"))).toContain("soup in square");
  expect(await find("cleo", is("mentioned"))).not.toContain("@**all** look in square");
});

test("people who can't read the new place find nothing of it", async () => {
  for (const kind of ["mentioned", "alerted", "starred"]) {
    expect((await find("cleo", is(kind))).filter((text) => text.endsWith("in attic"))).toEqual([]);
    expect((await find("gus", is(kind))).filter((text) => !text.endsWith("in kitchen"))).toEqual([]);
  }
});

test("a search for mentions of somebody else covers what the searcher received", async () => {
  const mentions = { operator: "mentions", operand: harness.user("cleo").id };
  expect(await find("ben", mentions)).toEqual(["@**Cleo Marsh** look in kitchen"]);
});
