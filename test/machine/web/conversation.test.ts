import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

test("a sent message shows at once, and keeps its place and its elements when the server has it", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("echoes", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Shall we?");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/messages", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  const field = page.getByRole("textbox", { name: /Message to/ });
  for (const text of ["**First**, with `code`", "Second\n* a list"]) {
    await field.fill(text);
    await field.press("Control+Enter");
  }
  await expect.poll(() => field.inputValue()).toBe("");
  const feed = page.getByRole("feed");
  const articles = feed.getByRole("article");
  await feed.getByText("a list").waitFor();
  const before = await articles.evaluateAll((all) =>
    all.map((one) => {
      Object.assign(one, { isSame: true });
      return one.querySelector(".content")?.innerHTML;
    }),
  );
  expect(before).toHaveLength(3);
  expect(before[1]).toContain("<strong>First</strong>");
  release();
  await client.settled();
  const after = await articles.evaluateAll((all) =>
    all.map((one) => ({
      html: one.querySelector(".content")?.innerHTML,
      ...("isSame" in one && { isSame: true }),
    })),
  );
  expect(after).toEqual(before.map((html) => ({ html, isSame: true })));
  await client.finish();
});

test("a message that can't be sent keeps its text, and goes out once when it is sent again", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("trouble", ["dev", "elin"]);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "news") }) });
  const { page } = client;
  client.expectProblems(/ERR_FAILED|status of 500|^500/);
  await page.route("**/api/v1/messages", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.fill("Lost and found");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const alert = page.getByRole("alert");
  await alert.getByText(/Not sent/).waitFor();
  await page.unroute("**/api/v1/messages");
  await alert.getByRole("button", { name: "Try again" }).click();
  await client.settled();
  await expect.poll(() => alert.count()).toBe(0);
  await expect.poll(() => page.getByRole("feed").getByText("Lost and found").count()).toBe(1);
  const narrow = topicNarrow(channel.id, "news");
  const { body } = await harness
    .as("elin")
    .get("/messages", { narrow, anchor: "newest", num_before: 9, num_after: 0 });
  expect(body.messages).toHaveLength(1);
  await client.finish();
});

test("a half-written text is still there after a reload", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("drafts", ["dev"]);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "later") }) });
  const field = client.page.getByRole("textbox", { name: /Message to/ });
  await field.fill("To be continued");
  await client.page.reload();
  await client.settled();
  await expect.poll(() => field.inputValue()).toBe("To be continued");
  await client.finish();
});

test("two people talk: typing, messages, reactions, edits and deletions appear as they happen", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("two people", ["dev", "elin"]);
  const first = await say(harness, "elin", channel.id, "hello", "Good morning");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "hello") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  const elin = harness.as("elin");
  await expectSuccess(
    elin.post("/typing", { op: "start", type: "channel", stream_id: channel.id, topic: "hello" }),
  );
  await page.getByText("Elin Berg is typing…").waitFor();
  await expectSuccess(elin.post(`/messages/${first}/reactions`, { emoji_name: "heart" }));
  const chip = feed.getByRole("button", { name: "heart: Elin Berg" });
  await chip.waitFor();
  await chip.click();
  await feed.getByRole("button", { name: "heart: Elin Berg and Dev Rao", pressed: true }).waitFor();
  const second = await say(harness, "elin", channel.id, "hello", "Are you there?");
  await feed.getByText("Are you there?").waitFor();
  await page.getByText("Elin Berg is typing…").waitFor({ state: "detached" });
  await expectSuccess(elin.patch(`/messages/${second}`, { content: "Are you *here*?" }));
  await feed.getByText("(edited)").waitFor();
  await expectSuccess(harness.as("ada").delete(`/messages/${second}`));
  await feed.getByText("Are you").waitFor({ state: "detached" });
  await client.finish();
});
