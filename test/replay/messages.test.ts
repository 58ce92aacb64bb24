import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  await harness.channel("leads", ["ada", "ben"], { isPrivate: true });
  await harness.channel("square", ["ada"], { isWebPublic: true });
  const cooks = {
    name: "cooks",
    description: "",
    members: [harness.user("dev").id, harness.user("elin").id],
  };
  const { status } = await harness.as("ada").post("/user_groups/create", cooks);
  expect(status).toBe(200);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

const tell = (name: CastName, to: CastName[], more: Record<string, unknown> = {}) =>
  say(
    name,
    to.map((each) => harness.user(each).id),
    { type: "direct", topic: undefined, ...more },
  );

const aboutMessages = ({ type }: { type: string }) => type === "message";

describe("a message in a channel", () => {
  test("reaches its subscribers, and their models then equal the server's state", async () => {
    const heard = await followAll(harness, everybody, () => say("dev", "kitchen"));
    for (const name of ["ada", "ben", "dev", "gus", "echo"])
      expect(eventNames(heard[name]), name).toContain("message");
  });

  test("reaches neither people who are not subscribed nor another organization", () =>
    expectSilence(
      harness,
      { hears: "ada", silent: ["cleo", "elin", "zed"] },
      () => say("dev", "kitchen"),
      aboutMessages,
    ));

  test("of a private channel reaches neither a guest outside it nor another organization", () =>
    expectSilence(harness, { hears: "ben", silent: ["gus", "dev", "echo", "zed"] }, () =>
      say("ada", "leads"),
    ));

  test("is unread for the sender unless their program says that they have read it", async () => {
    const id = await say("dev", "kitchen");
    const { body } = await harness.as("dev").get("/messages", { message_ids: [id] });
    expect(body.messages[0].flags).toEqual([]);
    await followAll(harness, everybody, () => say("dev", "kitchen", { read_by_sender: true }));
  });

  test.each([
    ["somebody", "@**Elin Berg** and @**Ada Osei**: soup!"],
    ["everyone", "@**all** soup!"],
    ["a topic", "@**topic** soup!"],
    ["a group", "@*cooks* soup!"],
    ["nobody aloud", "@_**Ada Osei** has soup"],
    ["other channels", "see #**leads** and #**kitchen>lunch**"],
  ])("may mention %s", async (_, content) => {
    await followAll(harness, everybody, () => say("ada", "kitchen", { content }));
  });

  test("that mentions a topic mentions its sender, and subscribers who take part in the topic", async () => {
    const oven = { topic: "oven" };
    const first = await say("ben", "kitchen", oven);
    await say("elin", "kitchen", oven);
    await expectSuccess(harness.as("gus").post(`/messages/${first}/reactions`, { emoji_name: "octopus" }));
    const mention = () => say("ada", "kitchen", { ...oven, content: "@**topic** soup!" });
    const isMention = ["topic_wildcard_mentioned", "wildcard_mentioned"];
    const heard = await followAll(harness, everybody, mention);
    const flags = (["ada", "ben", "gus", "dev", "echo", "elin"] as const).map((name) => [
      name,
      heard[name]?.find(aboutMessages)?.flags,
    ]);
    expect(Object.fromEntries(flags)).toEqual({
      ada: isMention,
      ben: isMention,
      gus: isMention,
      dev: [],
      echo: [],
      elin: undefined,
    });
  });

  test("may have the empty topic, which older clients see by its display name", async () => {
    const heard = await followAll(harness, ["dev"], () => say("ada", "kitchen", { topic: "" }), {
      forms: [forms.plain],
    });
    expect(heard.dev).toMatchObject([{ type: "message", message: { subject: "general chat" } }]);
    await followAll(harness, everybody, () => say("ada", "kitchen", { topic: "" }));
  });

  test("may name its topic in another case", async () => {
    await followAll(harness, everybody, () => say("ada", "kitchen", { topic: "LUNCH" }));
  });

  test("can be sent to a channel without a subscription", async () => {
    await followAll(harness, everybody, () => say("elin", "square"));
  });

  test("keeps all models right when several are sent at once", async () => {
    await followAll(harness, everybody, () =>
      Promise.all([say("ada", "square"), say("ben", "leads"), say("dev", "kitchen"), say("echo", "kitchen")]),
    );
  });

  test("reaches the queue that it was sent from with the sender's local id", async () => {
    const { body } = await harness.as("dev").post("/register", { event_types: ["message"] });
    await say("dev", "kitchen", { queue_id: body.queue_id, local_id: "17.01" });
    const poll = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
    const events = (await harness.as("dev").get("/events", poll)).body.events;
    expect(events).toMatchObject([{ type: "message", local_message_id: "17.01", local_id: "17.01" }]);
  });
});

describe("a direct message", () => {
  test("reaches its people, and their models then equal the server's state", async () => {
    const heard = await followAll(harness, everybody, () => tell("dev", ["ada"]));
    expect(eventNames(heard.ada)).toEqual(["message"]);
    expect(eventNames(heard.dev)).toEqual(["message"]);
  });

  test("reaches nobody else, not even administrators", () =>
    expectSilence(harness, { hears: "dev", silent: ["ada", "ben", "cleo", "gus", "echo", "zed"] }, () =>
      tell("elin", ["dev"]),
    ));

  test("that mentions a topic mentions nobody", async () => {
    const heard = await followAll(harness, everybody, () =>
      tell("dev", ["ada"], { content: "@**topic** soup!" }),
    );
    expect(heard.ada).toMatchObject([{ type: "message", flags: [] }]);
  });

  test("can go to several people, to its sender, to a bot and to a guest", async () => {
    await followAll(harness, everybody, async () => {
      await tell("dev", ["ada", "elin"]);
      await tell("elin", ["dev", "ada"], { content: "@**Dev Rao** yes" });
      await tell("dev", ["dev"]);
      await tell("ben", ["echo"]);
      await tell("echo", ["ben"]);
      await tell("ada", ["gus"], { read_by_sender: true });
    });
  });
});

describe("personal flags", () => {
  const flag = (name: CastName, op: string, which: string, messages: number[]) => async () => {
    const { status, body } = await harness.as(name).post("/messages/flags", { messages, op, flag: which });
    expect(status, JSON.stringify(body)).toBe(200);
  };

  test("that are set and cleared change only that person's models", async () => {
    const ids = [await say("ada", "kitchen"), await say("ada", "kitchen", { content: "@**Dev Rao** soup" })];
    const direct = await tell("ada", ["dev", "elin"], { content: "@**Dev Rao** psst" });
    const all = [...ids, direct];
    for (const which of ["read", "starred", "collapsed"]) {
      for (const op of ["add", "remove", "add"]) {
        const heard = await followAll(harness, everybody, flag("dev", op, which, all));
        expect(eventNames(heard.dev), `${op} ${which}`).toEqual([`update_message_flags/${op}`]);
        for (const name of everybody) if (name !== "dev") expect(heard[name], name).toEqual([]);
      }
    }
  });

  test("that are already set change nothing", async () => {
    const id = await say("ada", "kitchen");
    await flag("dev", "add", "starred", [id])();
    const heard = await followAll(harness, ["dev"], flag("dev", "add", "starred", [id]));
    expect(heard.dev?.flatMap((event) => event.messages)).toEqual([]);
  });

  test("can make the sender's own message read and unread", async () => {
    const unread = await tell("dev", ["elin"]);
    const read = await tell("dev", ["elin"], { read_by_sender: true });
    await followAll(harness, everybody, flag("dev", "remove", "read", [read]));
    await followAll(harness, everybody, flag("dev", "add", "read", [read, unread]));
    await followAll(harness, everybody, flag("dev", "remove", "read", [read, unread]));
  });

  test("can be set on a message of a public channel that the person never received", async () => {
    const id = await say("ada", "kitchen");
    await followAll(harness, everybody, flag("elin", "add", "starred", [id]));
    await followAll(harness, everybody, flag("elin", "add", "read", [id]));
    await followAll(harness, everybody, flag("elin", "remove", "read", [id]));
  });

  test("are kept in a person's conversation with themselves", async () => {
    const id = await tell("dev", ["dev"]);
    for (const op of ["add", "remove"]) await followAll(harness, everybody, flag("dev", op, "read", [id]));
  });
});
