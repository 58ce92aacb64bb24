import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { organization } from "../../organization/organization.ts";

let harness: Harness;
const say = sayIn(() => harness);
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness.close());

const content = "Soup :)";
const emoji = "emoji-1f642";

async function send(name: CastName): Promise<number> {
  return say(name, "kitchen", { content });
}

async function htmlOf(id: number): Promise<string> {
  return (await harness.as("dev").get(`/messages/${id}`)).body.message.content;
}

describe("emoticons become emoji", () => {
  beforeAll(async () => {
    const { status } = await harness.as("ada").patch("/settings", { translate_emoticons: true });
    expect(status).toBe(200);
  });

  test("if the writer's setting asks for it, for all readers", async () => {
    expect(await htmlOf(await send("ada"))).toContain(emoji);
    expect(await htmlOf(await send("dev"))).not.toContain(emoji);
  });

  test("in their edits, too", async () => {
    const id = await send("ada");
    expect((await harness.as("ada").patch(`/messages/${id}`, { content: "Bread :)" })).status).toBe(200);
    expect(await htmlOf(id)).toContain(emoji);
  });

  test("in their previews", async () => {
    const rendered = async (name: CastName) =>
      (await harness.as(name).post("/messages/render", { content })).body.rendered;
    expect(await rendered("ada")).toContain(emoji);
    expect(await rendered("dev")).not.toContain(emoji);
  });
});

test("code without a language gets the organization's language", async () => {
  const code = "```\nx = 1\n```";
  const before = await say("dev", "kitchen", { content: code });
  expect((await harness.as("ada").patch("/realm", { default_code_block_language: "python" })).status).toBe(
    200,
  );
  const after = await say("dev", "kitchen", { content: code });
  const plain = await say("dev", "kitchen", { content: "```text\nx = 1\n```" });
  expect(await htmlOf(before)).not.toContain("data-code-language");
  expect(await htmlOf(after)).toContain('data-code-language="Python"');
  expect(await htmlOf(plain)).not.toContain('data-code-language="Python"');
});

test("a channel is linked if the writer may know of it; otherwise its name stays plain text", async () => {
  const link = "#**leads** #**leads>plans** #**kitchen**";
  const known = await htmlOf(await say("ada", "kitchen", { content: link }));
  expect(known.match(/data-stream-id/g)).toHaveLength(3);
  const guessed = await htmlOf(await say("dev", "kitchen", { content: link }));
  expect(guessed.match(/data-stream-id/g)).toHaveLength(1);
  expect(guessed).toContain("#<strong>leads</strong> #<strong>leads&gt;plans</strong>");
});

test("a link to the organization's own pages becomes a path, and can't hide a script", async () => {
  const { host } = harness.state.get(organization);
  const html = await htmlOf(
    await say("dev", "kitchen", {
      content: `https://${host}/#narrow/is/starred [a](/help) [b](https://${host}/javascript&colon;x) [c](https://${host}/&#106;avascript:x)`,
    }),
  );
  expect(html).toContain('href="#narrow/is/starred"');
  expect(html).toContain('href="/help"');
  expect(html).toContain(`href="https://${host}/javascript&colon;x"`);
  expect(html).toContain(`href="https://${host}/&#106;avascript:x"`);
});
