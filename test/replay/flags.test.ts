import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: { id: number };
beforeAll(async () => {
  harness = await createHarness();
  kitchen = await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  await harness.channel("leads", ["ada", "ben"], { isPrivate: true });
});
afterAll(() => harness.close());

async function say(name: CastName, params: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup today?", ...params };
  const { status, body } = await harness.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const tell = (name: CastName, to: CastName, content = "x") =>
  say(name, { type: "direct", to: [harness.user(to).id], topic: undefined, content });

async function post(name: CastName, path: string, params: Record<string, unknown> = {}): Promise<unknown> {
  const { status, body } = await harness.as(name).post(path, params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const inKitchen = [{ operator: "channel", operand: "kitchen" }];
const everything = { anchor: "oldest", num_before: 0, num_after: 5000, narrow: inKitchen };

/** Sends an unread message of every kind, so that a missing change would show. */
async function speak(): Promise<void> {
  await say("ada", { content: "@**all** soup?" });
  await say("ada", { topic: "", content: "@**Dev Rao**" });
  await say("ada", { topic: "dinner" });
  await say("dev", { read_by_sender: true });
  await tell("ben", "dev");
  await tell("dev", "dev");
}

const ofFlags = ({ type }: { type: string }) => type === "update_message_flags";

describe.each([
  ["everything", "/mark_all_as_read", () => ({})],
  ["a channel", "/mark_stream_as_read", () => ({ stream_id: kitchen.id })],
  ["a topic", "/mark_topic_as_read", () => ({ stream_id: kitchen.id, topic_name: "LUNCH" })],
  ["what matches a narrow", "/messages/flags/narrow", () => ({ ...everything, op: "add", flag: "read" })],
])("marking %s as read", (_, path, params) => {
  test("reaches the user's own clients, and their unread messages then equal the server's", async () => {
    await speak();
    const heard = await followAll(harness, everybody, () => post("dev", path, params()));
    expect(eventNames(heard.dev)).toEqual(["update_message_flags/add"]);
  });

  test("reaches nobody else", async () => {
    await speak();
    await expectSilence(
      harness,
      { hears: "dev", silent: ["ada", "ben", "gus", "zed"] },
      () => post("dev", path, params()),
      ofFlags,
    );
  });
});

test.each([
  ["starred", "add"],
  ["starred", "remove"],
  ["collapsed", "add"],
  ["collapsed", "remove"],
  ["read", "remove"],
])("changing the flag %s by %s on a whole narrow keeps all models right", async (flag, op) => {
  await speak();
  const opposite = op === "add" ? "remove" : "add";
  await post("dev", "/messages/flags/narrow", { ...everything, op: opposite, flag });
  const heard = await followAll(harness, ["dev", "ada"], () =>
    post("dev", "/messages/flags/narrow", { ...everything, op, flag }),
  );
  expect(eventNames(heard.dev)).toEqual([`update_message_flags/${op}`]);
  expect(heard.ada).toEqual([]);
});

test("a message that comes after everything was marked as read is unread", async () => {
  await speak();
  await followAll(harness, ["dev"], async () => {
    await post("dev", "/mark_all_as_read");
    await speak();
  });
});

test("all models stay right when people write while others mark everything as read", async () => {
  await followAll(harness, ["dev", "gus"], async () => {
    const talk = Array.from({ length: 10 }, () => speak());
    const marks = Array.from({ length: 5 }, () => post("dev", "/mark_all_as_read"));
    await Promise.all([...talk, ...marks]);
  });
});
