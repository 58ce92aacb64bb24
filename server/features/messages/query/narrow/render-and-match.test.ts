import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld, type World } from "../../../../../test/harness/harness.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
  await w.channel("kitchen", ["ada", "dev"]);
  await w.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => w.close());

async function say(to: string, topic: string): Promise<number> {
  const message = { type: "channel", to, topic, content: "*Soup*" };
  return (await w.as("ada").post("/messages", message)).body.id;
}

test("a text is rendered as the message would be, and nothing is sent", async () => {
  const before = w.state.position;
  const content = "Hello @**Dev Rao**, see #**kitchen** <script>";
  const { body } = await w.as("dev").post("/messages/render", { content });
  expect(body.rendered).toContain(`data-user-id="${w.user("dev").id}"`);
  expect(body.rendered).toContain("&lt;script&gt;");
  expect(w.state.position).toBe(before);
  expect((await w.as("dev").post("/messages/render", { content: " " })).status).toBe(400);
});

test("of the messages asked about, those match that the narrow allows and the caller can read", async () => {
  const [soup, other, secret] = [
    await say("kitchen", "a <b> topic"),
    await say("kitchen", "other"),
    await say("leads", "a <b> topic"),
  ];
  const match = async (narrow: object[]) => {
    const params = { msg_ids: [soup, other, secret, 99_999_999], narrow };
    return (await w.as("dev").get("/messages/matches_narrow", params)).body.messages;
  };
  expect(await match([{ operator: "topic", operand: "a <b> topic" }])).toEqual({
    [soup]: { match_content: "<p><em>Soup</em></p>", match_subject: "a &lt;b&gt; topic" },
  });
  expect(Object.keys(await match([]))).toEqual([`${soup}`, `${other}`]);
  const bad = { msg_ids: [soup], narrow: [{ operator: "nonsense", operand: "x" }] };
  expect((await w.as("dev").get("/messages/matches_narrow", bad)).body.code).toBe("BAD_NARROW");
});

test("an empty topic has its display name where words are marked, unless the client takes it as it is", async () => {
  const id = await say("kitchen", "");
  const narrow = [["channel", "kitchen"]];
  const { body } = await w.as("dev").get("/messages/matches_narrow", { msg_ids: [id], narrow });
  expect(body.messages[id].match_subject).toBe("general chat");
  const found = async (more: object) => {
    const params = { message_ids: [id], narrow: [["search", "soup"]], ...more };
    const [{ subject, match_subject }] = (await w.as("dev").get("/messages", params)).body.messages;
    return { subject, match_subject };
  };
  expect(await found({})).toEqual({ subject: "general chat", match_subject: "general chat" });
  expect(await found({ allow_empty_topic_name: true })).toEqual({ subject: "", match_subject: "" });
});
