import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

test("recent conversations, starred messages and direct messages have views with keys", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("views", ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "soup", "A star for this");
  await sayToPeople(harness, "elin", [harness.user("dev").id], "Only for you");
  await harness.as("dev").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.keyboard.press("t");
  const row = page.getByRole("main").getByRole("row", { name: /soup/ });
  await row.waitFor();
  // The hour says enough for today.
  await expect.poll(() => row.getByRole("time").textContent()).toMatch(/^\d{1,2}:\d\d(\s?[AP]M)?$/);
  await client.settled();
  await client.checkAccessibility();
  const filters = page.getByRole("list", { name: "Show only" });
  await filters.getByRole("button", { name: "Direct messages" }).click();
  await row.waitFor({ state: "detached" });
  await page.keyboard.press("*");
  await page.getByRole("heading", { name: "Starred messages", level: 1 }).waitFor();
  await page.getByRole("feed").getByText("A star for this").waitFor();
  await page.keyboard.press("Shift+P");
  await page.getByRole("feed").getByText("Only for you").waitFor();
  await client.finish();
});

test("a card says who sent a message", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("cards", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Hello");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  await page.getByRole("feed").getByRole("article").first().focus();
  await page.keyboard.press("u");
  const card = page.getByRole("dialog", { name: "Elin Berg" });
  await card.getByText("Member").waitFor();
  await client.checkAccessibility();
  await card.getByRole("button", { name: "Mention" }).click();
  const field = page.getByRole("textbox", { name: /Message to/ });
  await page.waitForFunction(() => document.querySelector("textarea")?.value !== "");
  await expect.poll(() => field.inputValue()).toMatch(/^@\*\*Elin Berg\|\d+\*\* $/);
  await field.fill("");
  await client.finish();
});

test("a link that names a message of a topic leads to where the message is now", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("links", ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "old name", "Follow me");
  await expectSuccess(
    harness.as("elin").patch(`/messages/${id}`, { topic: "new name", propagate_mode: "change_all" }),
  );
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "old name"), with: id });
  const client = await open("dev", { hash });
  await client.page.getByRole("heading", { name: /new name/, level: 1 }).waitFor();
  await client.page.getByRole("feed").getByText("Follow me").waitFor();
  await client.finish();
});

test("messages of muted people are counted, and shown only when they are asked for", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("quiet", ["dev", "elin", "ada"]);
  for (const text of ["Noise one", "Noise two"]) await say(harness, "elin", channel.id, "soup", text);
  await say(harness, "ada", channel.id, "soup", "A calm word");
  await harness.as("dev").post(`/users/me/muted_users/${harness.user("elin").id}`);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("2 messages from muted people").waitFor();
  await feed.getByText("A calm word").waitFor();
  await expect.poll(() => feed.getByText("Noise").count()).toBe(0);
  await client.checkAccessibility();
  await feed.getByRole("button", { name: "Show" }).click();
  await feed.getByText("Noise two").waitFor();
  await harness.as("dev").delete(`/users/me/muted_users/${harness.user("elin").id}`);
  await client.finish();
});
