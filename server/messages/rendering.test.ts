import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayIn } from "../../test/answers.ts";
import { type CastName, createWorld, type World } from "../../test/world.ts";

let w: World;
const say = sayIn(() => w);
beforeAll(async () => {
  w = await createWorld();
  await w.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => w.close());

const content = "Soup :)";
const emoji = "emoji-1f642";

async function send(name: CastName): Promise<number> {
  return say(name, "kitchen", { content });
}

async function htmlOf(id: number): Promise<string> {
  return (await w.as("dev").get(`/messages/${id}`)).body.message.content;
}

describe("emoticons become emoji", () => {
  beforeAll(async () => {
    const { status } = await w.as("ada").patch("/settings", { translate_emoticons: true });
    expect(status).toBe(200);
  });

  test("for those who want it, whoever reads", async () => {
    expect(await htmlOf(await send("ada"))).toContain(emoji);
    expect(await htmlOf(await send("dev"))).not.toContain(emoji);
  });

  test("in what they edit, too", async () => {
    const id = await send("ada");
    expect((await w.as("ada").patch(`/messages/${id}`, { content: "Bread :)" })).status).toBe(200);
    expect(await htmlOf(id)).toContain(emoji);
  });

  test("in what is rendered for them beforehand", async () => {
    const rendered = async (name: CastName) =>
      (await w.as(name).post("/messages/render", { content })).body.rendered;
    expect(await rendered("ada")).toContain(emoji);
    expect(await rendered("dev")).not.toContain(emoji);
  });
});

test("code that names no language is in the organization's", async () => {
  const code = "```\nx = 1\n```";
  const before = await say("dev", "kitchen", { content: code });
  expect((await w.as("ada").patch("/realm", { default_code_block_language: "python" })).status).toBe(200);
  const after = await say("dev", "kitchen", { content: code });
  const plain = await say("dev", "kitchen", { content: "```text\nx = 1\n```" });
  expect(await htmlOf(before)).not.toContain("data-code-language");
  expect(await htmlOf(after)).toContain('data-code-language="Python"');
  expect(await htmlOf(plain)).not.toContain('data-code-language="Python"');
});
