// Rules of docs/spec.md about several subjects, or about forms of a request that clients seldom use.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { listen } from "../harness/listener.ts";

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev"]);
});
afterAll(() => harness.close());

const send = (parameters: Record<string, unknown>) =>
  expectSuccess(harness.as("dev").post("/messages", { content: "*Soup*", ...parameters }));
const read = async (id: number) =>
  (await expectSuccess(harness.as("dev").get(`/messages/${id}`, { apply_markdown: false }))).message;

describe("sending a message (spec E1)", () => {
  test.each(["channel", "stream"])("takes the type %s, and the topic by its older name", async (type) => {
    const { id } = await send({ type, to: "general", subject: "lunch" });
    expect(await read(id)).toMatchObject({ type: "stream", subject: "lunch" });
  });

  test.each(["direct", "private"])("takes the type %s, and then ignores the topic", async (type) => {
    const { id } = await send({ type, to: [harness.user("ada").id], topic: "lunch" });
    expect(await read(id)).toMatchObject({ type: "private", subject: "" });
  });
});

test("settings of a new channel are ignored for a channel that exists (spec E2)", async () => {
  const before = (await expectSuccess(harness.as("ada").get("/streams"))).streams;
  const settings = {
    invite_only: true,
    is_default_stream: true,
    message_retention_days: 30,
    topics_policy: "disable_empty_topic",
    history_public_to_subscribers: false,
  };
  const subscriptions = [{ name: "general", description: "Something else" }];
  const answer = await expectSuccess(
    harness.as("ada").post("/users/me/subscriptions", { subscriptions, ...settings }),
  );
  expect(answer.subscribed).toEqual({});
  expect((await expectSuccess(harness.as("ada").get("/streams"))).streams).toEqual(before);
});

test("the history of a message that nobody edited is one entry with five fields (spec E5)", async () => {
  const { id } = await send({ type: "channel", to: "general", topic: "lunch" });
  const { message_history } = await expectSuccess(harness.as("ada").get(`/messages/${id}/history`));
  expect(message_history).toEqual([
    {
      topic: "lunch",
      content: "*Soup*",
      rendered_content: "<p><em>Soup</em></p>",
      user_id: harness.user("dev").id,
      timestamp: expect.any(Number),
    },
  ]);
});

test("an unknown group can be neither deactivated nor deleted (spec E14, E19)", async () => {
  for (const { status, body } of [
    await harness.as("ada").post("/user_groups/999999/deactivate"),
    await harness.as("ada").delete("/user_groups/999999"),
  ]) {
    expect({ status, code: body.code }).toEqual({ status: 400, code: "BAD_REQUEST" });
  }
});

test("a queue's events have Markdown or HTML, as the client asked (spec E20)", async () => {
  const forms = { "text/x-markdown": "*Soup*", "text/html": "<p><em>Soup</em></p>" };
  const plain = await listen(harness.as("dev"), { event_types: ["message"] });
  const rendered = await listen(harness.as("dev"), { event_types: ["message"], apply_markdown: true });
  await send({ type: "channel", to: "general", topic: "lunch" });
  for (const [content_type, ear] of [
    ["text/x-markdown", plain],
    ["text/html", rendered],
  ] as const) {
    expect(await ear.heard()).toMatchObject([{ message: { content_type, content: forms[content_type] } }]);
  }
});

describe("a client without an account (spec E20)", () => {
  beforeAll(() => expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true })));
  afterAll(() => expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: false })));

  test.each(["client_gravatar", "include_subscribers"])("may not set %s to true", async (name) => {
    const { status, body } = await harness.nobody().post("/register", { [name]: true });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "BAD_REQUEST" });
    const allowed = await expectSuccess(harness.nobody().post("/register", { [name]: false }));
    expect(allowed.queue_id).toBeNull();
  });
});
