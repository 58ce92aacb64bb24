import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { type Client, useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();
const UNREAD = 3000;
const TIMEOUT_MS = 180_000;
/** How much slower the browser is. On a slow machine, an answer takes longer than a press of a key. */
const SLOWDOWN = 4;

const title = `a topic with ${UNREAD} unread messages opens at the first, and nothing jumps up or down`;
test(title, { timeout: TIMEOUT_MS }, async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("busy", ["dev", "elin"]);
  const old = await sayMany(harness, "elin", channel.id, "history", 300);
  await harness.as("dev").post("/messages/flags", { messages: old, op: "add", flag: "read" });
  await sayMany(harness, "elin", channel.id, "history", UNREAD);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "history") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("New", { exact: true }).waitFor();
  const firstNew = feed.getByRole("article").filter({ has: page.getByText("New", { exact: true }) });
  await expect.poll(() => firstNew.textContent()).toContain("Message 1: Short.");
  expect(await firstNew.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(400);

  // Older pages arrive above while the reader is there. A message that is on the screen stays where it is.
  await client.settled();
  await slowDown(client);
  const jumps = await feed.evaluate(async (element) => {
    // Browsers know of a reader's scroll before they call back for a frame. So it is written between two.
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const found: number[] = [];
    for (let step = 0; step < 60; step++) {
      element.scrollTop -= 150;
      await frame();
      await frame();
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
      const row = [...element.querySelectorAll<HTMLElement>("article")].find(
        (one) => one.getBoundingClientRect().bottom > middle,
      );
      const before = row?.getBoundingClientRect().top ?? 0;
      for (let count = 0; count < 6; count++) await frame();
      if (row?.isConnected) found.push(Math.abs(row.getBoundingClientRect().top - before));
    }
    return found;
  });
  expect(Math.max(...jumps)).toBeLessThanOrEqual(1);

  await page.getByRole("button", { name: /new message/ }).click();
  await feed.getByText(`Message ${UNREAD}: See`).waitFor();
  await client.settled();
  await expect.poll(() => page.getByRole("button", { name: /new message/ }).count()).toBe(0);
  await say(harness, "elin", channel.id, "history", "One more.");
  await feed.getByText("One more.").waitFor();
  await client.finish();
});

test("a topic that is opened from the inbox shows what was before its first unread message", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("context", ["dev", "elin"]);
  const old = await sayMany(harness, "elin", channel.id, "long", 40);
  await harness.as("dev").post("/messages/flags", { messages: old, op: "add", flag: "read" });
  const client = await open("dev", { hash: "#inbox" });
  // The list shows the topics of the channel that is opened, and a row of the inbox its newest message.
  client.expectProblems(/^shift: .*\.(item|inbox-last)/);
  const { page } = client;
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await sayMany(harness, "elin", channel.id, "long", 60);
  await page.getByRole("main").getByRole("link", { name: /long/ }).first().click();
  const feed = page.getByRole("feed");
  const firstNew = feed.getByRole("article").filter({ has: page.getByText("New", { exact: true }) });
  await firstNew.waitFor();
  await client.settled();
  await expect.poll(() => firstNew.textContent()).toContain("Message 1: Short.");
  const above = await feed.evaluate((element) => {
    const edge = element.getBoundingClientRect().top;
    const rows = [...element.querySelectorAll("article")];
    const at = rows.findIndex((row) => row.querySelector(".new") !== null);
    return rows.slice(0, at).filter((one) => one.getBoundingClientRect().bottom > edge + 1).length;
  });
  expect(above).toBeGreaterThan(0);
  await client.finish();
});

test("older messages that come while the reader scrolls move nothing else", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("scrolled", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "long", 300);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "long") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("Message 300: See").waitFor();
  await slowDown(client);
  // The reader scrolls in the frames in which an answer is likely to be shown, and after pauses of 1 to 12
  // frames.
  const pages = await feed.evaluate(async (element) => {
    // Browsers know of a reader's scroll before they call back for a frame. So it is written between two.
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const scroll = async (times: number) => {
      for (let count = 0; count < times; count++) {
        await frame();
        element.scrollTop -= 20;
      }
    };
    const { fetch } = window;
    let answers = 0;
    let scrolled: Promise<void> | undefined;
    window.fetch = async (...request) => {
      if (!String(request[0]).includes("/messages?")) return fetch(...request);
      const response = await fetch(...request);
      answers++;
      scrolled = scroll(4);
      return response;
    };
    for (let step = 0; step < 40 && answers < 2; step++) {
      element.scrollTop -= 600;
      for (let count = 0; count < 6; count++) await frame();
      while (element.getAttribute("aria-busy") !== "false") await frame();
      await scrolled;
      for (let count = 0; count <= step % 12; count++) await frame();
    }
    window.fetch = fetch;
    return answers;
  });
  expect(pages).toBeGreaterThanOrEqual(2);
  await client.finish();
});

test("messages that were seen are read, here and in the list", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("short", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "few", 5);
  const client = await open("dev");
  const { page } = client;
  const list = page.getByRole("navigation", { name: "Views and channels" });
  await list
    .getByRole("link", { name: "short , 5 unread messages" })
    .or(list.getByRole("link", { name: /short.*5 unread/ }))
    .click();
  await list.getByRole("link", { name: "few", exact: true }).waitFor();
  await list.getByRole("link", { name: /^short$/ }).waitFor();
  await expect.poll(() => page.title()).not.toMatch(/short.*\(5\)/);
  await client.finish();
});

test("a turn of the wheel counts, right after a view has opened and right after a message has come", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("turned", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "long", 120);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  // The list shows the topics of the channel that is opened.
  client.expectProblems(/^shift: .*\.item/);
  const feed = page.getByRole("feed");
  const below = () =>
    feed.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await page.mouse.move(700, 400);
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    hashOfNarrow({ narrow: topicNarrow(channel.id, "long") }),
  );
  await feed.getByRole("article").last().waitFor();
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(() => (history.state as { anchor?: unknown } | null)?.anchor !== undefined);
  await client.settled();
  await expect.poll(below).toBeGreaterThan(500);

  await page.getByRole("button", { name: "Go to the newest message" }).click();
  await client.settled();
  await expect.poll(below).toBeLessThan(20);
  const isShown = feed.getByText("Just now.").waitFor();
  await say(harness, "elin", channel.id, "long", "Just now.");
  await isShown;
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(() => (history.state as { anchor?: unknown } | null)?.anchor !== undefined);
  await client.settled();
  await expect.poll(below).toBeGreaterThan(500);
  await client.finish();
});

test("Back returns to the message that was at the top", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("places", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "long", 120);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "long") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.hover();
  await page.mouse.wheel(0, -1500);
  await page.waitForFunction(() => (history.state as { anchor?: unknown } | null)?.anchor !== undefined);
  const topOf = () =>
    feed.evaluate((element) => {
      const edge = element.getBoundingClientRect().top;
      const row = [...element.querySelectorAll("article")].find(
        (one) => one.getBoundingClientRect().bottom > edge + 1,
      );
      return [
        row?.querySelector(".content")?.textContent,
        Math.round((row?.getBoundingClientRect().top ?? 0) - edge),
      ];
    });
  const before = await topOf();
  await page.getByRole("link", { name: "Combined feed" }).click();
  await client.settled();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: /long/ }).waitFor();
  await client.settled();
  expect(await topOf()).toEqual(before);
  await client.finish();
});

async function slowDown({ page, context }: Client): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}
