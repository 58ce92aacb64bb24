import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
});
afterAll(() => harness.close());

beforeEach(async () => {
  for (const name of ["ada", "dev", "elin", "gus"] as const) {
    const { alert_words } = await expectSuccess(harness.as(name).get("/users/me/alert_words"));
    await expectSuccess(harness.as(name).delete("/users/me/alert_words", { alert_words }));
  }
});

const add = async (name: CastName, alert_words: string[]) =>
  (await expectSuccess(harness.as(name).post("/users/me/alert_words", { alert_words }))).alert_words;
const remove = async (name: CastName, alert_words: string[]) =>
  (await expectSuccess(harness.as(name).delete("/users/me/alert_words", { alert_words }))).alert_words;

async function say(name: CastName, content: string, more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content, ...more };
  return (await expectSuccess(harness.as(name).post("/messages", message))).id;
}

const flagsOf = async (name: CastName, id: number) =>
  (await expectSuccess(harness.as(name).get(`/messages/${id}`))).message.flags;

describe("alert words", () => {
  test("are kept as they were written, without the spaces around them, each once", async () => {
    expect(await add("dev", [" Soup", "on call", "soup "])).toEqual(["on call", "Soup"]);
    expect(await add("dev", ["SOUP", "  "])).toEqual(["on call", "Soup"]);
    expect(await remove("dev", ["ON CALL", "never there"])).toEqual(["Soup"]);
    expect((await expectSuccess(harness.as("dev").get("/users/me/alert_words"))).alert_words).toEqual([
      "Soup",
    ]);
    expect((await expectSuccess(harness.as("dev").post("/register", {}))).alert_words).toEqual(["Soup"]);
  });

  test("reach only the user's own clients, and only when they change", async () => {
    const others = everybody.filter((name) => name !== "dev");
    await expectSilence(harness, { hears: "dev", silent: others }, () => add("dev", ["soup", "bread"]));
    await expectSilence(harness, { hears: "dev", silent: others }, () => remove("dev", ["bread"]));
    const heard = await followAll(harness, ["dev"], async () => {
      await add("dev", ["Soup"]);
      await remove("dev", ["bread"]);
    });
    expect(eventNames(heard.dev)).toEqual([]);
  });

  test("have at most 100 characters each, and there are at most 1000", async () => {
    const tooLong = await harness.as("dev").post("/users/me/alert_words", { alert_words: ["x".repeat(101)] });
    expect(tooLong.body.code).toBe("BAD_REQUEST");
    const many = Array.from({ length: 1000 }, (_, n) => `word ${n}`);
    await add("dev", many);
    const { body } = await harness.as("dev").post("/users/me/alert_words", { alert_words: ["one more"] });
    expect([body.code, body.msg]).toEqual(["BAD_REQUEST", "There can be at most 1000 alert words."]);
    expect(await remove("dev", many)).toEqual([]);
  });
});

describe("a message with an alert word", () => {
  test("has the flag for people who have the word and receive it", async () => {
    await add("dev", ["noodle soup"]);
    await add("gus", ["Noodle"]);
    await add("elin", ["noodle"]);
    await add("ada", ["noodles"]);
    const followers = await startAll(harness, everybody);
    const id = await say("ben", "There is NOODLE soup!");
    await Promise.all(followers.map((follower) => follower.catchUp()));
    await Promise.all(followers.map((follower) => follower.compare()));
    const heard = (name: CastName) => followers.find(({ viewer }) => viewer === name)?.events[0]?.flags;
    expect([heard("dev"), heard("gus"), heard("ada")]).toEqual([["has_alert_word"], ["has_alert_word"], []]);
    expect(await flagsOf("dev", id)).toEqual(["has_alert_word"]);
    expect(await flagsOf("elin", id)).toEqual(["read", "historical"]);
  });

  test("is found by `is:alerted`, also when it is direct", async () => {
    await add("gus", ["noodle"]);
    const id = await say("ben", "noodle", { type: "direct", to: [harness.user("gus").id], topic: undefined });
    const other = await say("ben", "rice");
    const find = async (name: CastName) => {
      const params = { anchor: "newest", num_before: 10, num_after: 0, narrow: [["is", "alerted"]] };
      const { messages } = await expectSuccess(harness.as(name).get("/messages", params));
      return messages.map((message: { id: number }) => message.id);
    };
    expect(await find("gus")).toContain(id);
    expect(await find("gus")).not.toContain(other);
    expect(await find("ben")).toEqual([]);
  });

  test("gets and loses the flag as its text changes", async () => {
    await add("gus", ["noodle"]);
    await add("dev", ["rice"]);
    const id = await say("ben", "noodle for @**Gus Pike**");
    await expectSuccess(
      harness.as("gus").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }),
    );
    await followAll(harness, everybody, () =>
      expectSuccess(harness.as("ben").patch(`/messages/${id}`, { content: "rice for @**Gus Pike**" })),
    );
    expect(await flagsOf("gus", id)).toEqual(["starred", "mentioned"]);
    expect(await flagsOf("dev", id)).toEqual(["has_alert_word"]);
  });

  test("has no flag when the word was removed before", async () => {
    await add("gus", ["noodle"]);
    await add("dev", ["noodle"]);
    await remove("gus", ["noodle"]);
    const id = await say("ben", "noodle");
    expect([await flagsOf("gus", id), await flagsOf("dev", id)]).toEqual([[], ["has_alert_word"]]);
  });
});
