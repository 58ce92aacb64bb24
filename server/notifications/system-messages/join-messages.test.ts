import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { users } from "../../people/user.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

let number = 0;

/** Makes an account, and returns all messages that the person can read then. */
async function join(fullName = "Faye Lind"): Promise<{ id: number; messages: Message[] }> {
  const email = `faye${++number}@demo.test`;
  const { body } = await harness.as("ben").post("/users", { email, password: PASSWORD, full_name: fullName });
  const { body: key } = await harness
    .nobody()
    .post("/fetch_api_key", { username: email, password: PASSWORD });
  const authorization = `Basic ${Buffer.from(`${email}:${key.api_key}`).toString("base64")}`;
  const url = "/api/v1/messages?anchor=newest&num_before=20&num_after=0";
  const answer = await harness.app.inject({ url, headers: { host: "demo.test", authorization } });
  return { id: body.user_id, messages: answer.json().messages };
}

interface Message {
  id: number;
  type: string;
  content: string;
  flags: string[];
  subject: string;
  sender_full_name: string;
}

describe("a person who joins", () => {
  test("is welcomed in a direct message of the notification bot, which is unread", async () => {
    const { messages, id } = await join();
    expect(messages).toMatchObject([{ type: "private", sender_full_name: "Notification Bot", flags: [] }]);
    expect(messages[0]?.content).toContain("Demo");
    expect(messages[0]?.content).toContain(`data-user-id="${id}"`);
  });

  test("also reads welcome_message_custom_text, when the organization has one", async () => {
    await expectSuccess(
      harness.as("ada").patch("/realm", { welcome_message_custom_text: "Look into *the kitchen* first." }),
    );
    expect((await join()).messages[0]?.content).toContain("Look into <em>the kitchen</em> first.");
    await expectSuccess(harness.as("ada").patch("/realm", { welcome_message_custom_text: "" }));
    expect((await join()).messages[0]?.content).not.toContain("kitchen");
  });

  test("learns from that text of no channel that they may not know of", async () => {
    const secret = await harness.channel("cellar", ["ada"], { isPrivate: true });
    const open = await harness.channel("garden", ["ada"]);
    const text = "See #**cellar** and #**garden**.";
    await expectSuccess(harness.as("ada").patch("/realm", { welcome_message_custom_text: text }));
    const content = (await join()).messages[0]?.content;
    expect(content).toContain(`data-stream-id="${open.id}"`);
    expect(content).not.toContain(`data-stream-id="${secret.id}"`);
    await expectSuccess(harness.as("ada").patch("/realm", { welcome_message_custom_text: "" }));
  });

  test("is welcomed in nobody else's sight", async () => {
    const administrator = await listen(harness.as("ada"), { event_types: ["message"] });
    await join();
    expect(await administrator.heard()).toEqual([]);
  });

  test("is announced where signup_announcements_stream_id says, and nowhere by default", async () => {
    const lobby = await harness.channel("lobby", ["dev", "gus"]);
    const member = await listen(harness.as("dev"), { event_types: ["message"], apply_markdown: true });
    const other = await listen(harness.as("elin"), { event_types: ["message"] });
    await join();
    expect(await member.heard()).toEqual([]);
    const choose = (id: number) =>
      expectSuccess(harness.as("ada").patch("/realm", { signup_announcements_stream_id: id }));
    await choose(lobby.id);
    const { id } = await join("Hal Roe");
    const content = expect.stringContaining(`data-user-id="${id}">Hal Roe</span> joined`);
    expect(await member.heard()).toMatchObject([
      { message: { stream_id: lobby.id, subject: "signups", content } },
    ]);
    expect(await other.heard()).toEqual([]);
    await choose(-1);
    await join();
    expect(await member.heard()).toEqual([]);
  });

  test("is announced in no archived channel", async () => {
    const { id } = await harness.channel("porch", ["dev"]);
    await expectSuccess(harness.as("ada").patch("/realm", { signup_announcements_stream_id: id }));
    await expectSuccess(harness.as("ada").delete(`/streams/${id}`));
    const member = await listen(harness.as("dev"), { event_types: ["message"] });
    expect(harness.state.get(users).find((await join()).id)).toBeDefined();
    expect(await member.heard()).toEqual([]);
  });
});

test("no account, no messages: a refused request posts nothing", async () => {
  const person = { email: "dev@demo.test", password: PASSWORD, full_name: "Faye Lind" };
  const bot = await listen(harness.as("dev"), { event_types: ["message"] });
  expect((await harness.as("ben").post("/users", person)).status).toBe(400);
  expect(await bot.heard()).toEqual([]);
});

describe("an administrator tries a welcome message", () => {
  const PATH = "/realm/test_welcome_bot_custom_message";

  test("and gets the text as a direct message, while the setting stays", async () => {
    const own = await listen(harness.as("ben"), { event_types: ["message", "realm"] });
    const other = await listen(harness.as("ada"), { event_types: ["message", "realm"] });
    const { body } = await harness.as("ben").post(PATH, { welcome_message_custom_text: "Be **kind**." });
    expect(body).toEqual({ result: "success", msg: "", message_id: expect.any(Number) });
    expect(await own.heard()).toMatchObject([
      {
        type: "message",
        message: { id: body.message_id, type: "private", sender_full_name: "Notification Bot" },
      },
    ]);
    const { body: found } = await harness.as("ben").get(`/messages/${body.message_id}`);
    expect(found.message.content).toBe("<p>Be <strong>kind</strong>.</p>");
    expect(await other.heard()).toEqual([]);
  });

  test.each([
    ["an empty text", " ", "Message must not be empty"],
    ["a text of 8001 characters", "x".repeat(8001), "welcome_message_custom_text"],
  ])("%s is refused", async (_, text, message) => {
    const { status, body } = await harness.as("ben").post(PATH, { welcome_message_custom_text: text });
    expect(status).toBe(400);
    expect(body.msg).toContain(message);
  });

  test.each(["cleo", "dev", "gus"] as const)("%s, who is not one, may not", async (name) => {
    const { body } = await harness.as(name).post(PATH, { welcome_message_custom_text: "Hello" });
    expect(body.msg).toBe("Must be an organization administrator");
  });
});
