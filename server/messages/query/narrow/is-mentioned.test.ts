import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";

let harness: Harness;
/** In the order in which they were sent. */
const ids: Record<string, number> = {};
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("lobby", ["ada", "ben"]);
  const cooks = { name: "cooks", description: "", members: [harness.user("dev").id] };
  await expectSuccess(harness.as("ada").post("/user_groups/create", cooks));
  const paths = {
    everyone: "@**all**",
    group: "@*cooks*",
    name: "@**Dev Rao**",
    topic: "@**topic**",
    nobody: "Soup?",
  };
  const sayAll = async (when: string) => {
    for (const [whom, content] of Object.entries(paths)) {
      ids[`${whom} ${when}`] = await say("ada", "lobby", { topic: whom, content });
    }
  };
  await say("dev", "lobby", { topic: "topic" });
  await sayAll("before");
  await expectSuccess(
    harness.as("dev").post("/users/me/subscriptions", { subscriptions: [{ name: "lobby" }] }),
  );
  await sayAll("since");
  await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["lobby"] }));
  await sayAll("after");
  const direct = { type: "direct", to: [harness.user("dev").id], topic: undefined };
  for (const whom of ["everyone", "group", "topic"] as const) {
    ids[`${whom} directly`] = await say("ada", direct.to, { ...direct, content: paths[whom] });
  }
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);

const find = async (...narrow: unknown[]): Promise<string[]> => {
  const page = { anchor: "oldest", num_before: 0, num_after: 100, narrow };
  const { messages } = await expectSuccess(harness.as("dev").get("/messages", page));
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return messages.flatMap(({ id }: { id: number }) => names.get(id) ?? []);
};

const inLobby = { operator: "channel", operand: "lobby" };
const isMentioned = { operator: "is", operand: "mentioned" };
const isNotMentioned = { ...isMentioned, negated: true };
const received = ["everyone since", "group since", "name since", "topic since"];

test("a mention of everyone, a group or a topic counts for the people who received the message", async () => {
  expect(await find(inLobby, isMentioned)).toEqual(received);
  expect(await find(isMentioned)).toEqual([...received, "everyone directly", "group directly"]);
});

test("the negated term finds all other messages", async () => {
  const inChannel = Object.keys(ids).filter((name) => !name.endsWith("directly"));
  expect(await find(inLobby)).toEqual(inChannel);
  expect(await find(inLobby, isNotMentioned)).toEqual(inChannel.filter((name) => !received.includes(name)));
  expect(await find(isNotMentioned)).toEqual(["nobody since", "topic directly"]);
});

test("the flags agree with the search", async () => {
  const flagsOf = async (name: string) =>
    (await expectSuccess(harness.as("dev").get(`/messages/${ids[name]}`))).message.flags;
  for (const name of ["everyone before", "group before", "topic before", "everyone after", "group after"]) {
    expect(await flagsOf(name), name).toEqual(["read", "historical"]);
  }
  expect(await flagsOf("everyone since")).toContain("stream_wildcard_mentioned");
  expect(await flagsOf("group since")).toContain("mentioned");
  expect(await flagsOf("topic since")).toContain("topic_wildcard_mentioned");
  expect(await flagsOf("topic directly")).toEqual([]);
});

test("a check of messages by id agrees with the search", async () => {
  const asked = { msg_ids: Object.values(ids), narrow: [isMentioned] };
  const { messages } = await expectSuccess(harness.as("dev").get("/messages/matches_narrow", asked));
  const found = Object.keys(ids).filter((name) => String(ids[name]) in messages);
  expect(found).toEqual([...received, "everyone directly", "group directly"]);
});
