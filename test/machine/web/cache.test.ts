import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

/** As another tab in front of it does. The state is in the database when the promise resolves. */
async function saveState(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    dispatchEvent(new Event("visibilitychange"));
    Reflect.deleteProperty(document, "visibilityState");
  });
  await page.waitForFunction(() => localStorage.getItem("parley.saved") !== null);
}

test("the last state is on the screen before the server answers, and is then made right", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("caches", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "warm", 60);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "warm") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("Message 60:").waitFor();
  await say(harness, "elin", channel.id, "warm", "Seen before the reload");
  await feed.getByText("Seen before the reload").waitFor();
  await client.settled();
  await saveState(page);
  await say(harness, "elin", channel.id, "warm", "Sent during the reload");
  let answer: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/v1\/(register|messages)/, async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await feed.getByText("Seen before the reload").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: /warm/ }).waitFor();
  await expect.poll(() => feed.getByText("Sent during the reload").count()).toBe(0);
  answer();
  await feed.getByText("Sent during the reload").waitFor();
  await client.finish();
});

test("the last state is on the screen also where the server is faster than the browser's database", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("slow disk", ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "warm", "Seen before the reload");
  await harness.as("dev").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "warm") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("Seen before the reload").waitFor();
  await client.settled();
  await saveState(page);
  await page.addInitScript(() => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function (key) {
      const request = get.call(this, key);
      const late = { result: undefined as unknown, onsuccess: () => {} };
      request.onsuccess = () =>
        setTimeout(() => {
          late.result = request.result;
          late.onsuccess();
        }, 1000);
      return late as unknown as IDBRequest;
    };
  });
  let answer: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/v1\/messages/, async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await feed.getByText("Seen before the reload").waitFor();
  answer();
  await client.finish();
});

test("a session that ended leaves nothing in the browser but drafts, and signing in leads back", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("leaving", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soon", "The last word");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soon") });
  const client = await open("dev", { hash });
  const { page } = client;
  client.expectProblems(/status of 401/);
  await page.getByRole("feed").getByText("The last word").waitFor();
  // What the server has as a draft does not stay in the browser.
  await page.route(/\/drafts$/, (route) => route.abort());
  client.expectProblems(/net::ERR_FAILED/);
  await page.getByRole("textbox", { name: /Message to/ }).fill("Half a sentence");
  await client.settled();
  await saveState(page);
  const other = await client.context.newPage();
  await other.goto(`${browser.world.url}/${hash}`);
  await other.getByRole("feed").getByText("The last word").waitFor();
  // In the second tab, which ends the session of both.
  await other.evaluate(() =>
    fetch("/api/v1/session", { method: "DELETE", headers: { "X-Parley-Client": "ParleyWeb" } }),
  );
  for (const tab of [page, other]) await tab.waitForURL(/\/login\?next=/);
  expect(new URL(page.url()).searchParams.get("next")).toContain(hash);
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem("parley.saved"))).toBeNull();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain("Half a sentence");
  await client.context.close();
});

test("two tabs agree about what is read and about drafts", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("twins", ["dev", "elin"]);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "both") });
  const client = await open("dev", { hash });
  const { page } = client;
  await page.getByRole("textbox", { name: /Message to/ }).waitFor();
  const other = await client.context.newPage();
  await other.goto(`${browser.world.url}/#inbox`);
  await other.getByRole("heading", { name: "Inbox" }).waitFor();
  const { id } = (await expectSuccess(
    harness
      .as("elin")
      .post("/messages", { type: "channel", to: channel.id, topic: "both", content: "For both" }),
  )) as { id: number };
  await page.bringToFront();
  await page.getByRole("feed").getByText("For both").waitFor();
  await other.waitForFunction(() => !document.title.startsWith("("));
  await harness.as("dev").post("/messages/flags", { messages: [id], op: "remove", flag: "read" });
  await other.waitForFunction(() => document.title.startsWith("("));
  await page.getByRole("textbox", { name: /Message to/ }).pressSequentially("A draft for both");
  await other.goto(`${browser.world.url}/#drafts`);
  await other.getByText("A draft for both").waitFor();
  await other.close();
  await client.finish();
});
