import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sendTogether } from "../../../test/harness/held-log.ts";
import { listen } from "../../../test/harness/listener.ts";
import { groups } from "../../groups/group.ts";
import { organization } from "../../organization/organization.ts";
import { deactivateUser } from "../../people/actions.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { MAX_DIRECT_RECIPIENTS } from "./addressee.ts";
import { batcherOf } from "./send.ts";

let harness: Harness;
let kitchen: number;

beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev"])).id;
  await harness.channel("leads", ["ada", "ben"], { isPrivate: true });
});
afterAll(() => harness?.close());

const send = (name: CastName, params: Record<string, unknown>) =>
  harness
    .as(name)
    .post("/messages", { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?", ...params });

async function newest(name: CastName, narrow: unknown[] = []) {
  const params = { anchor: "newest", num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { body } = await harness.as(name).get("/messages", { ...params, allow_empty_topic_name: true });
  return body.messages[0];
}

describe("a channel message", () => {
  test.each([
    ["the channel's name", { to: "kitchen" }],
    ["its name in other letters", { to: "KITCHEN" }],
    ["its id", () => ({ to: kitchen })],
    ["a JSON text of its name", { to: '"kitchen"' }],
    ["a list with its name", { to: ["kitchen"] }],
    ["a list with its id", () => ({ to: [kitchen] })],
    ["the older word for channels", { type: "stream" }],
    ["the older word for topics", { topic: undefined, subject: "lunch" }],
  ])("can be addressed by %s", async (_, params) => {
    const { status, body } = await send("dev", typeof params === "function" ? params() : params);
    expect(status).toBe(200);
    expect(await newest("ada")).toMatchObject({
      id: body.id,
      stream_id: kitchen,
      subject: "lunch",
      type: "stream",
    });
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["a channel that does not exist", { to: "cellar" }, { code: "STREAM_DOES_NOT_EXIST", stream: "cellar" }],
    ["an id that no channel has", { to: 999_999 }, { code: "STREAM_DOES_NOT_EXIST", stream_id: 999_999 }],
    ["two channels", { to: ["kitchen", "leads"] }, { msg: "Expected exactly one channel" }],
    ["no topic at all", { topic: undefined }, { code: "REQUEST_VARIABLE_MISSING", var_name: "topic" }],
    ["no content", { content: " \n\n " }, { msg: "Message must not be empty" }],
    ["a line break in the topic", { topic: "lun\nch" }, { code: "BAD_REQUEST" }],
    ["an unknown type", { type: "letter" }, { code: "BAD_REQUEST" }],
    ["both names of the topic", { subject: "lunch" }, { code: "REQUEST_CONFUSING_VAR" }],
  ])("is refused with %s", async (_, params, error) => {
    const { status, body } = await send("dev", params);
    expect(status).toBe(400);
    expect(body).toMatchObject(error);
  });

  test.each([
    ["a character for private use", "lun\ue000ch", 4],
    ["one that is not assigned", "\u0378lunch", 1],
    ["a line separator", "lunch\u2028time", 6],
    ["a paragraph separator", "lunch\u2029time", 6],
    ["a bell", "🥣 \u0007", 3],
  ])("is refused with %s in its topic, whose place is told", async (_, topic, position) => {
    expect((await send("dev", { topic: ` ${topic}x` })).body).toMatchObject({
      code: "BAD_REQUEST",
      msg: `Invalid character in topic, at position ${position}!`,
    });
  });

  test("to a private channel is refused unless the sender is subscribed", async () => {
    expect((await send("ada", { to: "leads" })).status).toBe(200);
    expect((await send("dev", { to: "leads" })).body.msg).toBe("Not authorized to send to channel 'leads'");
  });

  test("is refused to a guest who is not subscribed", async () => {
    expect((await send("gus", {})).status).toBe(400);
  });

  test.each(["", "(no topic)", "general chat"])(
    "has the empty topic when the topic is written '%s'",
    async (topic) => {
      await send("dev", { topic });
      expect((await newest("ada")).subject).toBe("");
    },
  );

  test("is cut when it is too long, and so is its topic, counted in characters", async () => {
    await send("dev", { content: "🌍".repeat(10_001), topic: "é".repeat(61) });
    const { content, subject } = await newest("ada");
    expect([...content]).toHaveLength(10_000);
    expect(content.endsWith("🌍\n[message truncated]")).toBe(true);
    expect(subject).toBe(`${"é".repeat(57)}...`);
  });

  test("loses blank lines before and blanks after its text", async () => {
    await send("dev", { content: "\n\n  x  \n " });
    expect((await newest("ada")).content).toBe("  x");
  });

  test("keeps the spelling that its topic was first given", async () => {
    await send("dev", { topic: "Menu" });
    await send("dev", { topic: "MENU" });
    expect((await newest("ada")).subject).toBe("Menu");
  });
});

describe("a direct message", () => {
  const direct = (to: unknown, params: Record<string, unknown> = {}) =>
    harness.as("dev").post("/messages", { type: "direct", to, content: "Hi.", ...params });

  test.each<[string, () => unknown, CastName[]]>([
    ["a list of ids", () => [harness.user("ada").id, harness.user("ben").id], ["ada", "ben", "dev"]],
    ["one id", () => harness.user("ada").id, ["ada", "dev"]],
    ["a list of emails", () => ["ada@demo.test", "BEN@demo.test"], ["ada", "ben", "dev"]],
    ["one email", () => "ada@demo.test", ["ada", "dev"]],
    ["emails between commas", () => "ada@demo.test, ben@demo.test", ["ada", "ben", "dev"]],
    ["people who are named twice", () => ["ada@demo.test", "ada@demo.test", "dev@demo.test"], ["ada", "dev"]],
    ["oneself alone", () => [harness.user("dev").id], ["dev"]],
  ])("goes to %s", async (_, to, people) => {
    const { body } = await direct(to());
    const message = await newest("dev", [["is", "dm"]]);
    expect(message).toMatchObject({ id: body.id, type: "private", subject: "" });
    expect(message.stream_id).toBeUndefined();
    const names = message.display_recipient.map((person: { email: string }) => person.email.split("@")[0]);
    expect(names.sort()).toEqual(people);
  });

  test("has one recipient_id for both directions", async () => {
    await direct("ada@demo.test");
    const there = await newest("ada", [["is", "dm"]]);
    await harness.as("ada").post("/messages", { type: "private", to: ["dev@demo.test"], content: "Hello." });
    expect((await newest("dev", [["is", "dm"]])).recipient_id).toBe(there.recipient_id);
  });

  test.each<[string, unknown, string]>([
    ["nobody", [], "Message must have recipients"],
    ["an unknown email", "nobody@demo.test", "Invalid email 'nobody@demo.test'"],
    ["an unknown id", [999_999], "Invalid user ID 999999"],
    [
      "ids and emails together",
      [1, "ada@demo.test"],
      "Recipients must be all user IDs or all email addresses",
    ],
    ["someone of another organization", "zed@other.test", "Invalid email 'zed@other.test'"],
  ])("to %s is refused", async (_, to, msg) => {
    expect((await direct(to)).body.msg).toBe(msg);
  });

  test("to the id of someone in another organization is refused", async () => {
    expect((await direct([harness.user("zed").id])).status).toBe(400);
  });

  test("goes to a limited number of people", async () => {
    const many = (count: number) => direct(Array(count).fill(harness.user("ada").id));
    expect((await many(MAX_DIRECT_RECIPIENTS)).status).toBe(200);
    expect((await many(MAX_DIRECT_RECIPIENTS + 1)).body).toMatchObject({
      code: "BAD_REQUEST",
      msg: `A direct message can have at most ${MAX_DIRECT_RECIPIENTS} recipients`,
    });
  });

  test("to a deactivated account is refused, even if it goes to other people too", async () => {
    const { id, email } = harness.user("elin");
    const elin = harness.user("elin").user;
    await runStateChange(harness.state, (tx) => deactivateUser(tx, elin));
    for (const to of [[id], [harness.user("ada").id, id], email]) {
      expect((await direct(to)).body).toMatchObject({
        code: "BAD_REQUEST",
        msg: `'${email}' no longer uses this server.`,
      });
    }
    await runStateChange(harness.state, async (tx) => {
      tx.appendPatch({ users: { put: [elin] } });
    });
    expect((await direct([id])).status).toBe(200);
  });

  test("mentions and alerts only its people", async () => {
    await harness.as("elin").post("/users/me/alert_words", { alert_words: ["ladle"] });
    const { body } = await direct([harness.user("ada").id], { content: "@**Elin Berg** has the ladle" });
    const marked = await harness.state.database.query(
      sql`select from message_flags where message_id = ${body.id}`,
    );
    expect(marked).toEqual([]);
    await harness.as("elin").delete("/users/me/alert_words", { alert_words: ["ladle"] });
  });

  test("reaches its people and nobody else", async () => {
    const ears = await Promise.all(
      (["ada", "ben", "zed"] as const).map((name) => listen(harness.as(name), { event_types: ["message"] })),
    );
    await direct("ada@demo.test");
    const heard = await Promise.all(ears.map((ear) => ear.heard()));
    expect(heard.map((events) => events.length)).toEqual([1, 0, 0]);
  });
});

describe("the permission for direct messages", () => {
  const allow = (setting: { name: string }, group: "administrators" | "everyone") =>
    runStateChange(harness.state, async (tx) => {
      const now = tx.state.get(organization);
      const settings = { ...now.settings, [setting.name]: tx.state.get(groups).system(group).id };
      tx.appendPatch({ organization: { ...now, settings } });
    });
  const direct = (name: CastName, to: string) =>
    harness.as(name).post("/messages", { type: "direct", to, content: "Hi." });

  test("needs one of the people in its group, but bots can always be written to", async () => {
    await allow(organizationPermissions.directMessagePermission, "administrators");
    expect((await direct("dev", "elin@demo.test")).status).toBe(400);
    expect((await direct("dev", "ada@demo.test")).status).toBe(200);
    expect((await direct("dev", "echo-bot@demo.test")).status).toBe(200);
    await allow(organizationPermissions.directMessagePermission, "everyone");
    expect((await direct("dev", "elin@demo.test")).status).toBe(200);
  });

  test("to start a conversation is not needed for a reply", async () => {
    await allow(organizationPermissions.directMessageInitiator, "administrators");
    expect((await direct("elin", "ben@demo.test")).status).toBe(400);
    expect((await direct("elin", "echo-bot@demo.test")).status).toBe(200);
    expect((await direct("elin", "elin@demo.test")).status).toBe(200);
    const { body } = await direct("ben", "elin@demo.test");
    expect((await direct("elin", "ben@demo.test")).status).toBe(200);
    // If no message were left in the conversation, this one would start it.
    const left = (await newest("elin", [["dm", "ben@demo.test"]])).id;
    for (const id of [body.id, left])
      expect((await harness.as("ben").delete(`/messages/${id}`)).status).toBe(200);
    expect((await direct("elin", "ben@demo.test")).status).toBe(400);
    await allow(organizationPermissions.directMessageInitiator, "everyone");
  });
});

describe("local echo", () => {
  test("is in the queue that sent it, and in no other", async () => {
    const [here, there] = await Promise.all([
      listen(harness.as("dev"), { event_types: ["message"] }),
      listen(harness.as("dev"), { event_types: ["message"] }),
    ]);
    await send("dev", { queue_id: here.queueId, local_id: "12.01" });
    expect((await here.heard())[0]).toMatchObject({ local_message_id: "12.01", local_id: "12.01" });
    expect((await there.heard())[0]).not.toHaveProperty("local_message_id");
  });

  test("is not in another user's queue, whichever queue the sender names", async () => {
    const [own, foreign] = await Promise.all([
      listen(harness.as("gus"), { event_types: ["message"] }),
      listen(harness.as("dev"), { event_types: ["message"] }),
    ]);
    for (const { queueId: queue_id } of [own, foreign]) {
      const message = { type: "direct", to: ["dev@demo.test"], content: "hi", queue_id, local_id: "12.01" };
      expect((await harness.as("gus").post("/messages", message)).status).toBe(200);
    }
    expect((await own.heard()).map(({ local_message_id }) => local_message_id)).toEqual(["12.01", undefined]);
    for (const event of await foreign.heard()) expect(event).not.toHaveProperty("local_message_id");
  });

  test("needs a local_id with its queue_id", async () => {
    expect((await send("dev", { queue_id: "x" })).body.msg).toBe("'queue_id' requires 'local_id'");
    expect((await send("dev", { local_id: "1" })).status).toBe(200);
  });

  test.each(["no-uuid", "", "0:1", "\u00e9"])(
    "from a queue called '%s' is ignored, and the message is sent",
    async (queue_id) => {
      const ear = await listen(harness.as("dev"), { event_types: ["message"] });
      expect((await send("dev", { queue_id, local_id: "1" })).status).toBe(200);
      expect((await ear.heard())[0]).not.toHaveProperty("local_message_id");
    },
  );
});

describe("the sender's own message", () => {
  const flagsOf = async () => (await newest("dev")).flags;

  test("is read or unread as the request says", async () => {
    await send("dev", { read_by_sender: true });
    expect(await flagsOf()).toEqual(["read"]);
    await send("dev", { read_by_sender: false });
    expect(await flagsOf()).toEqual([]);
  });

  test("is read by default when its client shows people what they send", async () => {
    for (const client of ["ZulipTerminal/0.7", "website", "A desktop app/1.0"]) {
      await harness
        .as("dev", { client })
        .post("/messages", { type: "channel", to: "kitchen", topic: "x", content: "y" });
      expect(await flagsOf(), client).toEqual(["read"]);
    }
    await harness
      .as("dev", { client: "ZulipPython/0.9" })
      .post("/messages", { type: "channel", to: "kitchen", topic: "x", content: "y" });
    expect(await flagsOf()).toEqual([]);
  });
});

describe("a mention", () => {
  test("by name counts for people who receive the message", async () => {
    await send("dev", { content: "@**Ada Osei** and @**Elin Berg**" });
    expect((await newest("ada")).flags).toEqual(["mentioned"]);
    expect((await newest("ben")).flags).toEqual([]);
    expect((await newest("elin", [["channel", "kitchen"]])).flags).toEqual(["read", "historical"]);
  });

  test("of everyone in a small channel is open to every sender", async () => {
    await send("dev", { content: "@**all**" });
    expect((await newest("ben")).flags).toEqual(["stream_wildcard_mentioned", "wildcard_mentioned"]);
  });

  test("of everyone in a topic counts the people who wrote there", async () => {
    expect((await send("dev", { content: "@**topic**", topic: "small" })).status).toBe(200);
  });
});

test("sends that arrive together share a commit and keep their order", async () => {
  const { counts } = batcherOf(harness.state);
  // Starting a topic has a setting of its own.
  await send("dev", { topic: "many", content: "first" });
  const before = { ...counts };
  const all = () =>
    Promise.all(Array.from({ length: 40 }, (_, n) => send("dev", { topic: "many", content: `${n}` })));
  const answers = await sendTogether(harness.state, 40, all);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(counts.messages - before.messages).toBe(40);
  expect(counts.batches - before.batches).toBeLessThan(20);
  const params = { anchor: "newest", num_before: 40, num_after: 0, apply_markdown: false };
  const { body } = await harness.as("ada").get("/messages", {
    ...params,
    narrow: [
      ["channel", "kitchen"],
      ["topic", "many"],
    ],
  });
  const byId = new Map(answers.map(({ body: { id } }, n) => [id, `${n}`]));
  expect(body.messages.map((message: { id: number; content: string }) => message.content)).toEqual(
    body.messages.map((message: { id: number }) => byId.get(message.id)),
  );
});
