import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness.close());

async function say(to: string, topic: string): Promise<number> {
  const message = { type: "channel", to, topic, content: "*Soup*" };
  return (await harness.as("ada").post("/messages", message)).body.id;
}

test("a text is rendered as a message would be, and nothing is sent", async () => {
  const before = harness.state.position;
  const content = "Hello @**Dev Rao**, see #**kitchen** <script>";
  const { body } = await harness.as("dev").post("/messages/render", { content });
  expect(body.rendered).toContain(`data-user-id="${harness.user("dev").id}"`);
  expect(body.rendered).toContain("&lt;script&gt;");
  expect(harness.state.position).toBe(before);
  expect((await harness.as("dev").post("/messages/render", { content: " " })).status).toBe(400);
});

test("a message matches if the narrow finds it and the caller can read it", async () => {
  const [soup, other, secret] = [
    await say("kitchen", "a <b> topic"),
    await say("kitchen", "other"),
    await say("leads", "a <b> topic"),
  ];
  const match = async (narrow: object[]) => {
    const params = { msg_ids: [soup, other, secret, 99_999_999], narrow };
    return (await harness.as("dev").get("/messages/matches_narrow", params)).body.messages;
  };
  expect(await match([{ operator: "topic", operand: "a <b> topic" }])).toEqual({
    [soup]: { match_content: "<p><em>Soup</em></p>", match_subject: "a &lt;b&gt; topic" },
  });
  expect(Object.keys(await match([]))).toEqual([`${soup}`, `${other}`]);
  const bad = { msg_ids: [soup], narrow: [{ operator: "nonsense", operand: "x" }] };
  expect((await harness.as("dev").get("/messages/matches_narrow", bad)).body.code).toBe("BAD_NARROW");
});

test("highlighted topics show the empty topic's display name, unless the client accepts an empty one", async () => {
  const id = await say("kitchen", "");
  const narrow = [["channel", "kitchen"]];
  const { body } = await harness.as("dev").get("/messages/matches_narrow", { msg_ids: [id], narrow });
  expect(body.messages[id].match_subject).toBe("general chat");
  const found = async (more: object) => {
    const params = { message_ids: [id], narrow: [["search", "soup"]], ...more };
    const [{ subject, match_subject }] = (await harness.as("dev").get("/messages", params)).body.messages;
    return { subject, match_subject };
  };
  expect(await found({})).toEqual({ subject: "general chat", match_subject: "general chat" });
  expect(await found({ allow_empty_topic_name: true })).toEqual({ subject: "", match_subject: "" });
});
