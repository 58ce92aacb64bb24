import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** What a screen reader would call the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one === null || one === document.body ? "" : (one.ariaLabel ?? one.textContent ?? "").trim();
  });

test("keys alone read everything that is new, from the inbox until nothing is left", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("triage", ["dev", "elin"]);
  const topics = ["one", "two", "three", "four", "five"];
  for (const topic of topics) await say(harness, "elin", channel.id, topic, `About ${topic}`);
  const client = await open("dev", { hash: "#feed/" });
  // The list shows the topics of the channel that is opened.
  client.expectProblems(/^shift: .*\.item more/);
  const { page } = client;
  await page.keyboard.press("Shift+I");
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  const rows = page.getByRole("main").getByRole("listitem").getByRole("link");
  await expect.poll(() => rows.count()).toBe(topics.length);
  await page.keyboard.press("ArrowDown");
  const first = await focused(page);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).not.toBe(first);
  await page.keyboard.press("k");
  await expect.poll(() => focused(page)).toBe(first);
  await page.keyboard.press("Enter");
  const feed = page.getByRole("feed");
  const seen = new Set<string>();
  for (const _topic of topics) {
    await feed.getByText(/^About/).waitFor();
    await client.settled();
    seen.add((await feed.getByText(/^About/).textContent()) ?? "");
    await page.keyboard.press("n");
  }
  expect([...seen].sort()).toEqual(topics.map((topic) => `About ${topic}`).sort());
  await page.getByText("You’re all caught up.").waitFor();
  await expect.poll(() => page.title()).toMatch(/^Inbox/);
  const list = page.getByRole("navigation", { name: "Views and channels" });
  await expect.poll(() => list.getByRole("link", { name: /unread/ }).count()).toBe(0);
  await client.finish();
});

test("every part of the page is reached by keys, and none holds the focus", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("parts", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "walk", "Hello");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") }) });
  const { page } = client;
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("Skip to the message box");
  await page.keyboard.press("Enter");
  expect(await page.getByRole("main").getByRole("textbox").last().evaluate(isFocused)).toBe(true);

  const parts: string[] = [];
  const part = () =>
    page.evaluate(
      () =>
        document.activeElement
          ?.closest("header.top-bar, nav, form.box, main, aside")
          ?.tagName.toLowerCase() ?? "",
    );
  for (let count = 0; count < 4; count++) {
    await page.keyboard.press("F6");
    parts.push(await part());
  }
  expect(parts.sort()).toEqual(["form", "header", "main", "nav"]);

  // As often as there are stops on the page, and then the first one comes again.
  const stops: string[] = [];
  do {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
  } while (stops.length < 100 && (stops.length < 2 || stops.at(-1) !== "Skip to the message box"));
  expect(stops.at(-1)).toBe("Skip to the message box");
  expect(new Set(stops).size).toBeGreaterThan(8);
  await client.finish();
});

test("the feed is one stop of the Tab key, and what is in the selected message follows it", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("stops", ["dev", "elin"]);
  for (let count = 1; count <= 8; count++)
    await say(
      harness,
      "elin",
      channel.id,
      "walk",
      `Number ${count}: https://example.com/${count} @**Dev Rao**`,
    );
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") });
  const client = await open("dev", { hash });
  const { page } = client;
  const feed = page.getByRole("feed");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  const row = feed
    .getByRole("article")
    .filter({ hasText: /Number \d:/ })
    .and(page.locator(":focus"));
  await row.waitFor();
  const own = await row.textContent();
  const seen: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const inFeed = await page.evaluate(() => document.activeElement?.closest("[role='feed']") !== null);
    if (!inFeed) break;
    seen.push(await page.evaluate(() => document.activeElement?.closest("article")?.textContent ?? ""));
    if (seen.length > 20) break;
  }
  const number = /Number \d/.exec(own ?? "")?.[0] ?? "?";
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.filter((one) => !one.includes(number))).toEqual([]);
  // And back, to what was last in that message.
  await page.keyboard.press("Shift+Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("article")?.textContent)).toContain(
    number,
  );
  const box = page.getByRole("main").getByRole("textbox").last();
  for (let count = 0; count < 12 && !(await box.evaluate(isFocused)); count++)
    await page.keyboard.press("Tab");
  expect(await box.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Shift+F6");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(number);
  await page.keyboard.press("F6");
  expect(await box.evaluate(isFocused)).toBe(true);
  await client.finish();
});

test("single keys can be turned off, and a dialog gives the focus back", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("dictation", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "walk", "Hello");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") }) });
  const { page } = client;
  const row = page.getByRole("feed").getByRole("article").last();
  await row.focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByRole("checkbox").press("Space");
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  expect(await row.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("t");
  await client.settled();
  await page.getByRole("heading", { name: /walk/, level: 1 }).waitFor();
  // What needs Ctrl stays.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  expect(await row.evaluate(isFocused)).toBe(true);
  // A screen reader says what comes.
  await say(harness, "elin", channel.id, "walk", "Can you hear this?");
  await page.getByRole("status").getByText("Can you hear this?").waitFor({ state: "attached" });
  await client.finish();
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

test("a dialog that closes leaves the one that is opened in the same moment", async () => {
  const client = await browser.world.open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.evaluate(async () => {
    document.querySelector("dialog")?.close();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
    for (let count = 0; count < 6; count++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await page.getByRole("combobox").fill("inbox");
  await page.keyboard.press("Escape");
  await client.finish();
});
