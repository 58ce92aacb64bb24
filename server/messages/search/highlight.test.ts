import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { indexAll } from "./index-messages.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness?.close());

async function say(content: string, { topic = "lunch" } = {}): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic, content };
  const { status, body } = await harness.as("ada").post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const index = () => indexAll(harness.services.database, harness.state.organizationId);

/** The newest message that a search finds, with its marks. They are the same before and after indexing. */
async function marked(query: string): Promise<[content: string, topic: string]> {
  const ask = async () => {
    const narrow = [{ operator: "search", operand: query }];
    const { body } = await harness
      .as("dev")
      .get("/messages", { anchor: "newest", num_before: 50, num_after: 0, narrow });
    const { match_content, match_subject } = body.messages.at(-1);
    return [match_content, match_subject] as [string, string];
  };
  const behind = await ask();
  await index();
  expect(await ask()).toEqual(behind);
  return behind;
}

const span = (text: string) => `<span class="highlight">${text}</span>`;

test("a search word is highlighted in the text and in the topic, and nothing else is changed", async () => {
  await say("**Nutmeg** & <nutmeg> `nutmegs`", { topic: "a nutmeg <i>" });
  expect(await marked("nutmeg")).toEqual([
    `<p><strong>${span("Nutmeg")}</strong> &amp; &lt;${span("nutmeg")}&gt; <code>${span("nutmegs")}</code></p>`,
    `a ${span("nutmeg")} &lt;i&gt;`,
  ]);
});

test("a search word is highlighted in the part of the word that matches, or in the whole of another form", async () => {
  await say("cardamoms were overcardamomed");
  const [content] = await marked("cardamom");
  expect(content).toBe(`<p>${span("cardamoms")} were over${span("cardamom")}ed</p>`);
});

test("a search word is highlighted in phrases and in scripts without spaces", async () => {
  await say("mace and more: 黒胡椒と塩");
  expect((await marked('"mace and" 胡椒'))[0]).toBe(
    `<p>${span("mace")} ${span("and")} more: 黒${span("胡椒")}と塩</p>`,
  );
});

test("a search word is not highlighted in addresses and formulas", async () => {
  await say("[dill](https://example.com/dill) $$dill$$");
  const [content] = await marked("dill");
  expect(content).toContain(`<a href="https://example.com/dill">${span("dill")}</a>`);
  expect(content.match(/<math[\s\S]*<\/math>/)?.[0] ?? "").not.toContain("highlight");
});

test("a search word is highlighted for single messages too, but only in a search for words", async () => {
  const id = await say("caraway", { topic: "seeds" });
  await index();
  const matches = async (narrow: unknown[]) =>
    (await harness.as("dev").get("/messages/matches_narrow", { msg_ids: [id], narrow })).body.messages;
  expect(await matches([["search", "caraway"]])).toEqual({
    [id]: { match_content: `<p>${span("caraway")}</p>`, match_subject: "seeds" },
  });
  expect(await matches([["search", "seeds"]])).toEqual({
    [id]: { match_content: "<p>caraway</p>", match_subject: span("seeds") },
  });
  expect(await matches([["search", "anise"]])).toEqual({});
  expect(await matches([["topic", "seeds"]])).toEqual({
    [id]: { match_content: "<p>caraway</p>", match_subject: "seeds" },
  });
  const { body } = await harness.as("dev").get("/messages", { message_ids: [id] });
  expect(body.messages[0]).not.toHaveProperty("match_content");
});
