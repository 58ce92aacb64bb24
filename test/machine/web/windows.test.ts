import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { type Client, useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

/** Topics that get messages appear in the list at the left. What is gone from the feed closes up. */
const listGrows = /shift: .*(LI\.item-row|A\.item)/;
const feedClosesUp = /shift: .*DIV\./;

const inTopic = (channelId: number, topic: string, near?: number) =>
  hashOfNarrow({ narrow: topicNarrow(channelId, topic), ...(near !== undefined && { near }) });

interface Hold {
  /** The server has made an answer. */
  isAnswered: Promise<void>;
  release(): Promise<void>;
}

/** Holds the answers to calls, each as the server made it when it was asked. */
async function hold(page: Page, path: RegExp): Promise<Hold> {
  let release: () => void = () => {};
  let noteAnswer: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isAnswered = new Promise<void>((resolve) => {
    noteAnswer = resolve;
  });
  const answers: Promise<void>[] = [];
  let isReleased = false;
  const answer = async (route: Route) => {
    const response = await route.fetch();
    noteAnswer();
    await isHeld;
    await route.fulfill({ response });
  };
  await page.route(path, (route) => {
    if (isReleased) return route.continue();
    answers.push(answer(route));
    return undefined;
  });
  return {
    isAnswered,
    async release() {
      isReleased = true;
      release();
      await Promise.all(answers);
    },
  };
}

/** The next poll names the queue, so somebody writes elsewhere. */
async function queueOf(page: Page, cause: () => Promise<unknown>): Promise<string> {
  const poll = page.waitForRequest(/\/events\?/);
  await cause();
  return new URL((await poll).url()).searchParams.get("queue_id") as string;
}

async function loseQueue(client: Client, queueId: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { harness } = browser.world;
  client.expectProblems(/status of 400/);
  client.expectProblems(listGrows);
  client.expectProblems(feedClosesUp);
  client.expectProblems(/ERR_INTERNET_DISCONNECTED|Failed to load/);
  await client.context.setOffline(true);
  await expectSuccess(harness.as("dev").delete("/events", { queue_id: queueId }));
  await meanwhile();
  const registered = client.page.waitForResponse(/\/register$/);
  await client.context.setOffline(false);
  await registered;
}

test("the page lives on when its queue is lost while older messages are on their way", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("sleepers", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "long", 200);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: inTopic(channel.id, "long") });
  const { page } = client;
  client.expectProblems(/status of 400/);
  client.expectProblems(listGrows);
  client.expectProblems(feedClosesUp);
  const feed = page.getByRole("feed");
  const queueId = await queueOf(page, () => say(harness, "elin", channel.id, "other", "Elsewhere"));
  await client.settled();
  const held = await hold(page, /\/api\/v1\/messages\?/);
  await feed.hover();
  await page.mouse.wheel(0, -4000);
  await held.isAnswered;
  const registered = page.waitForResponse(/\/register$/);
  await expectSuccess(harness.as("dev").delete("/events", { queue_id: queueId }));
  await say(harness, "elin", channel.id, "long", "After the night");
  await registered;
  await held.release();
  expect(await page.evaluate(() => 1)).toBe(1);
  await client.settled();
  await page.getByRole("button", { name: /newest message|new message/ }).click();
  await feed.getByText("After the night").waitFor();
  await client.finish();
});

test("deleted and edited messages stay so when a page from before comes late", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("a slow line", ["dev", "elin"]);
  const [gone, edited] = [
    await say(harness, "elin", channel.id, "late", "Not written for long"),
    await say(harness, "elin", channel.id, "late", "Badly written"),
  ];
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  client.expectProblems(listGrows);
  await client.settled();
  const held = await hold(page, /\/api\/v1\/messages\?.*search/);
  await page.evaluate((hash) => location.assign(hash), "#narrow/search/written");
  await held.isAnswered;
  const heard = page.waitForResponse(
    async (response) =>
      response.url().includes("/events?") && (await response.text()).includes("Well written"),
  );
  await expectSuccess(harness.as("elin").delete(`/messages/${gone}`));
  await expectSuccess(harness.as("elin").patch(`/messages/${edited}`, { content: "Well written" }));
  await heard;
  await held.release();
  const feed = page.getByRole("feed");
  await feed.getByText("Well written").waitFor();
  expect(await feed.getByText("Not written for long").count()).toBe(0);
  await client.finish();
});

test("what was deleted, edited or moved while the client was away is not readable any more", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("absences", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "old", 200);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const [gone, changed, moved] = [ids[60], ids[61], ids[62]] as [number, number, number];
  const client = await open("dev", { hash: inTopic(channel.id, "old", gone) });
  const { page } = client;
  const feed = page.getByRole("feed");
  const row = (id: number) => feed.locator(`[data-key="${id}"]`);
  await row(gone).waitFor();
  const queueId = await queueOf(page, () => say(harness, "elin", channel.id, "other", "Elsewhere"));
  await client.settled();
  await loseQueue(client, queueId, async () => {
    await expectSuccess(harness.as("elin").delete(`/messages/${gone}`));
    await expectSuccess(harness.as("elin").patch(`/messages/${changed}`, { content: "Put differently" }));
    await expectSuccess(
      harness.as("elin").patch(`/messages/${moved}`, { topic: "new", propagate_mode: "change_one" }),
    );
  });
  await feed.getByText("Put differently").waitFor();
  await client.settled();
  expect([await row(gone).count(), await row(moved).count()]).toEqual([0, 0]);
  await client.finish();
});

test("a conversation that was empty shows what was written while the client was away", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("firsts", ["dev", "elin"]);
  const client = await open("dev", { hash: inTopic(channel.id, "nothing yet") });
  const { page } = client;
  await page.getByText("Nobody has written here yet").waitFor();
  const queueId = await queueOf(page, () => say(harness, "elin", channel.id, "other", "Elsewhere"));
  await client.settled();
  await loseQueue(client, queueId, () => say(harness, "elin", channel.id, "nothing yet", "The very first"));
  await page.getByRole("feed").getByText("The very first").waitFor();
  expect(await page.getByText("Nobody has written here yet").count()).toBe(0);
  await client.finish();
});

test("topics that are merged into the one on the screen appear in it", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("mergers", ["dev", "elin"]);
  const other = await say(harness, "elin", channel.id, "second", "From the second topic");
  await say(harness, "elin", channel.id, "first", "From the first topic");
  const ids = await sayMany(harness, "elin", channel.id, "noise", 320);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: inTopic(channel.id, "first") });
  const { page } = client;
  const feed = page.getByRole("feed");
  client.expectProblems(listGrows);
  client.expectProblems(feedClosesUp);
  await feed.getByText("From the first topic").waitFor();
  await client.settled();
  await say(harness, "elin", channel.id, "first", "The newest of it");
  await expectSuccess(
    harness.as("elin").patch(`/messages/${other}`, { topic: "first", propagate_mode: "change_all" }),
  );
  await feed.getByText("From the second topic").waitFor();
  await client.finish();
});

test("a public channel without a subscription shows what others write while it is looked at", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("by the way", ["elin"]);
  await say(harness, "elin", channel.id, "news", "Read by the way");
  const client = await open("dev", { hash: inTopic(channel.id, "news") });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("Read by the way").waitFor();
  await say(harness, "elin", channel.id, "news", "Without an event");
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await feed.getByText("Without an event").waitFor();
  await page.evaluate(() => location.assign("#inbox"));
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await say(harness, "elin", channel.id, "news", "Written meanwhile");
  await page.goBack();
  await feed.getByText("Written meanwhile").waitFor();
  await client.finish();
});

test("links lead to where the message or the topic is now", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("release", ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "version 2", "It is out");
  await expectSuccess(
    harness.as("elin").patch(`/messages/${id}`, { topic: "✔ version 2", propagate_mode: "change_all" }),
  );
  const other = await say(harness, "elin", channel.id, "lost", "Somewhere else now");
  await say(harness, "elin", channel.id, "lost", "Still here");
  await expectSuccess(
    harness.as("elin").patch(`/messages/${other}`, { topic: "found", propagate_mode: "change_one" }),
  );
  const client = await open("dev", { hash: inTopic(channel.id, "version 2", id) });
  const { page } = client;
  const feed = page.getByRole("feed");
  client.expectProblems(listGrows);
  const said: string[] = [];
  await page.exposeFunction("note", (text: string) => void said.push(text));
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const text = document.querySelector(".empty")?.textContent;
      if (text) (window as unknown as { note(text: string): void }).note(text);
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  await feed.getByText("It is out").waitFor();
  expect(page.url()).toContain(inTopic(channel.id, "✔ version 2").replace(/^.*topic/, "topic"));
  // Without a message, the twin of the name is the topic.
  await page.evaluate((hash) => location.assign(hash), inTopic(channel.id, "Version 2"));
  await feed.getByText("It is out").waitFor();
  await page.evaluate((hash) => location.assign(hash), inTopic(channel.id, "lost", other));
  await feed.getByText("Somewhere else now").waitFor();
  // A topic that was renamed while this client was there.
  await expectSuccess(
    harness.as("elin").patch(`/messages/${other}`, { topic: "renamed", propagate_mode: "change_all" }),
  );
  await page.getByRole("heading", { name: /renamed/ }).waitFor();
  await page.evaluate((hash) => location.assign(hash), inTopic(channel.id, "found"));
  await page.waitForURL(/renamed/);
  await feed.getByText("Somewhere else now").waitFor();
  await client.settled();
  expect(said).toEqual([]);
  await client.finish();
});
