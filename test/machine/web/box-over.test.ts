import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

const boxOf = (page: Page) => page.getByRole("textbox", { name: /Message/ });
const unreadOf = async () => {
  const narrow = [{ operator: "is", operand: "unread" }];
  const query = { narrow, anchor: "newest", num_before: 100, num_after: 0 };
  const { messages } = (await expectSuccess(browser.world.harness.as("dev").get("/messages", query))) as {
    messages: unknown[];
  };
  return messages.length;
};

test("the box opens over the view one is in, and nothing is read by writing", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("over", ["dev", "elin"]);
  for (const topic of ["one", "two", "three"]) await say(harness, "elin", channel.id, topic, `On ${topic}`);
  const unread = await unreadOf();
  for (const width of [1280, 390]) {
    for (const hash of ["#inbox", "#recent", "#drafts", "#settings"]) {
      const client = await open("dev", { hash, width });
      const { page } = client;
      const address = page.url();
      await page.keyboard.press("c");
      await page.getByRole("combobox", { name: "Channel" }).waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => boxOf(page).count()).toBe(0);
      await page.keyboard.press("x");
      await page.getByRole("combobox", { name: "Add a person" }).waitFor();
      expect(page.url()).toBe(address);
      await client.finish();
    }
  }
  expect(await unreadOf()).toBe(unread);
});

test("a message is written and sent over the inbox, and the focus goes back to its row", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("from afar", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Soup?");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  const row = page.getByRole("main").getByRole("link", { name: /^soup/ });
  await row.focus();
  await page.keyboard.press("c");
  // The first field that is open has the focus, and the keys before it was there.
  await page.keyboard.type("from a");
  await page.getByRole("option", { name: "from afar" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Topic");
  await page.keyboard.type("s");
  await page.getByRole("option", { name: /soup/ }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.type("tew");
  await page.keyboard.press("Enter");
  await expect.poll(() => boxOf(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await boxOf(page).fill("Or a stew");
  await boxOf(page).press("Control+Enter");
  await page.getByRole("main").getByRole("link", { name: "#from afar › stew" }).waitFor();
  expect(new URL(page.url()).hash).toBe("#inbox");
  await boxOf(page).press("Escape");
  await expect.poll(() => row.evaluate((one) => one === document.activeElement)).toBe(true);
  await client.finish();
});

test("a text that was begun over a view goes along to the next one, and stays among the drafts", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("along", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Soup?");
  await sayToPeople(harness, "elin", [harness.user("dev").id], "For you");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.keyboard.press("c");
  await boxOf(page).fill("A thought without a place");
  await page.evaluate(() => {
    location.hash = "#recent";
  });
  await page.getByRole("heading", { name: "Recent conversations", level: 1 }).waitFor();
  expect(await boxOf(page).inputValue()).toBe("A thought without a place");
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }),
  );
  await page.getByRole("feed").getByText("Soup?").waitFor();
  await expect.poll(() => boxOf(page).inputValue()).toBe("");
  await page.evaluate(() => {
    location.hash = "#drafts";
  });
  await page.getByRole("link", { name: /A thought without a place/ }).click();
  await expect.poll(() => boxOf(page).inputValue()).toBe("A thought without a place");
  expect(new URL(page.url()).hash).toBe("#drafts");
  await boxOf(page).fill("");
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("a mention from a card opens the box over the inbox", async () => {
  const { harness, open } = browser.world;
  await harness.channel("mentions over", ["dev", "elin"]);
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.keyboard.press("w");
  await page
    .getByRole("complementary")
    .getByRole("button", { name: /Elin Berg/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Mention", exact: true }).click();
  await expect.poll(() => boxOf(page).inputValue()).toMatch(/^@\*\*Elin Berg\|\d+\*\* $/);
  expect(new URL(page.url()).hash).toBe("#inbox");
  await boxOf(page).fill("");
  await client.finish();
});
