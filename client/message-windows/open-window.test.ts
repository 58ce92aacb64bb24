import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compare, type MessageClient, startMessageClient } from "../../test/harness/message-client.ts";
import { MessageServer } from "../../test/harness/message-server.ts";
import { channelNarrow, combinedFeed, directNarrow, topicNarrow } from "../narrow.ts";

let server: MessageServer;
let client: MessageClient;

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MessageServer();
  for (const id of [4, 5]) server.addChannel(id);
});
afterEach(async () => {
  server.isHolding = false;
  server.speak();
  server.release();
  await client.stop();
  vi.useRealTimers();
});

const soup = topicNarrow(4, "soup");
const sayMany = (count: number, topic = "soup") =>
  Array.from({ length: count }, () => server.send({ channelId: 4, topic }));
const textOf = (id: number) => client.state.model.messages.byId.get(id)?.content;
/** A queue that the server has lost, and what happens before the client has another one. */
async function loseQueue(meanwhile: () => void): Promise<void> {
  server.isHolding = true;
  server.loseQueue();
  meanwhile();
  // After the server refuses the old queue at once, the client waits a moment.
  await client.pass(1000);
  server.isHolding = false;
  server.release();
  await client.pass();
}

test("a new snapshot while a page is on its way is followed by one request for the window", async () => {
  sayMany(200);
  client = await startMessageClient(server);
  const opened = await client.open(soup, { topOfView: () => 150 });
  server.isHolding = true;
  void opened.loadOlder();
  await client.pass();
  server.calls.length = 0;
  server.loseQueue();
  await client.pass(1000);
  // The answers of the page, which is from before the snapshot, and of the snapshot.
  server.release();
  await client.pass();
  expect(server.calls).toEqual(["150"]);
  server.release();
  await client.pass();
  const { shown, expected } = compare(server, client, opened);
  expect(shown).toEqual(expected);
});

test("a view that is being opened when a new snapshot comes asks again, and opens", async () => {
  sayMany(5);
  client = await startMessageClient(server);
  server.isHolding = true;
  const opened = await client.open([{ operator: "search", operand: "p" }]);
  server.loseQueue();
  await client.pass(1000);
  server.release();
  await client.pass();
  server.release();
  await client.pass();
  expect(opened.window.ids).toHaveLength(5);
});

test("a page from before a new snapshot is not used, since events of its time are lost", async () => {
  const [gone, ...kept] = sayMany(3) as [number, ...number[]];
  client = await startMessageClient(server);
  server.isHolding = true;
  const opened = await client.open(soup);
  server.isHolding = false;
  server.loseQueue();
  server.delete(gone);
  await client.pass(1000);
  server.release();
  await client.pass();
  expect(opened.window.ids).toEqual(kept);
  expect(client.state.model.messages.byId.has(gone)).toBe(false);
});

test("what happened while a page was on its way is true of its messages", async () => {
  const [deleted, edited, read, liked, moved, kept] = sayMany(6) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  client = await startMessageClient(server);
  server.isHolding = true;
  const opened = await client.open(soup);
  server.delete(deleted);
  server.edit(edited, "<p>Better</p>");
  server.flag([read], "add", "read");
  server.react(liked);
  server.move([moved], "bread");
  const arrived = server.send({ channelId: 4, topic: "soup" });
  await client.pass();
  server.release();
  await client.pass();
  expect(opened.window.ids).toEqual([edited, read, liked, kept, arrived]);
  expect(textOf(edited)).toBe("<p>Better</p>");
  expect(client.state.model.messages.byId.has(deleted)).toBe(false);
  const { shown, expected } = compare(server, client, opened);
  expect(shown).toEqual(expected);
});

test("a page of followed topics is asked for again if one is no longer followed meanwhile", async () => {
  sayMany(2);
  server.follow(4, "soup");
  client = await startMessageClient(server);
  server.isHolding = true;
  const opened = await client.open([{ operator: "is", operand: "followed" }]);
  server.follow(4, "soup");
  await client.pass();
  server.isHolding = false;
  server.release();
  await client.pass(0);
  expect(opened.window.ids).toEqual([1, 2]);
  await client.pass(3000);
  expect(opened.window.ids).toEqual([]);
  expect(opened.window.isOutdated).toBe(false);
});

test("a message that is looked up is as it is after what happened meanwhile", async () => {
  const [id, deleted] = sayMany(2) as [number, number];
  client = await startMessageClient(server);
  server.isHolding = true;
  const found = client.state.findMessage(id);
  const gone = client.state.findMessage(deleted);
  server.move([id], "bread");
  server.delete(deleted);
  await client.pass();
  server.release();
  expect((await found)?.to).toEqual({ kind: "channel", channelId: 4, topic: "bread" });
  expect(await gone).toBeUndefined();
});

test("a new snapshot cuts the window to what is fetched again around the top of the view", async () => {
  const ids = sayMany(400);
  client = await startMessageClient(server);
  let top = 300;
  const opened = await client.open(soup, { topOfView: () => top });
  for (let page = 0; page < 3; page++) {
    void opened.loadOlder();
    await client.pass();
  }
  top = 120;
  await loseQueue(() => {
    server.delete(120);
    server.edit(121, "<p>Other</p>");
    server.move([122], "bread");
  });
  const { shown, expected } = compare(server, client, opened);
  expect(shown).toEqual(expected);
  expect(opened.window.ids).not.toContain(120);
  expect(opened.window.ids.length).toBeLessThan(ids.length);
  // What was not asked for again is nowhere.
  expect([...client.state.model.messages.byId.keys()].sort((a, b) => a - b)).toEqual(opened.window.ids);
});

test("a conversation that was empty has what was written before the new snapshot", async () => {
  client = await startMessageClient(server);
  const topic = await client.open(soup);
  const direct = await client.open(directNarrow([3]));
  expect(topic.window.foundOldest && topic.window.foundNewest).toBe(true);
  await loseQueue(() => {
    sayMany(3);
    server.send({});
  });
  expect([topic.window.ids, direct.window.ids]).toEqual([[1, 2, 3], [4]]);
});

test("messages that nobody had fetched appear where they are moved to", async () => {
  const mine: number[] = [];
  const others: number[] = [];
  for (let at = 0; at < 6; at++) {
    mine.push(server.send({ channelId: 4, topic: "soup" }));
    others.push(server.send({ channelId: 4, topic: "bread" }));
  }
  client = await startMessageClient(server);
  const opened = await client.open(soup);
  expect(opened.window.ids).toEqual(mine);
  server.move(others, "soup");
  await client.pass(3000);
  expect(opened.window.ids).toEqual([...mine, ...others].sort((a, b) => a - b));
});

test("many events in a row lead to one request, and the next has to wait", async () => {
  const others = sayMany(20, "bread");
  sayMany(2);
  client = await startMessageClient(server);
  await client.open(soup);
  server.calls.length = 0;
  for (const id of others) server.move([id], "soup");
  await client.pass(3000);
  expect(server.calls).toHaveLength(1);
});

test("a person who has just come sees all of a channel that is open to them", async () => {
  server.addChannel(6, { isSubscribed: false });
  for (let at = 0; at < 30; at++) server.send({ channelId: 6, topic: "books" });
  server.subscribe(6);
  server.send({ channelId: 6, topic: "books" });
  client = await startMessageClient(server);
  const feed = await client.open(combinedFeed);
  expect([feed.window.ids, feed.window.foundOldest]).toEqual([[31], true]);
  const topic = await client.open(topicNarrow(6, "books"));
  expect(topic.window.ids).toHaveLength(31);
});

test("the hole of somebody who left a channel and came back is closed by the first page", async () => {
  for (let at = 0; at < 70; at++) server.send({ channelId: 4, topic: "soup" });
  server.unsubscribe(4);
  for (let at = 0; at < 10; at++) server.send({ channelId: 4, topic: "soup" });
  server.subscribe(4);
  for (let at = 0; at < 40; at++) server.send({ channelId: 4, topic: "soup" });
  client = await startMessageClient(server);
  const feed = await client.open(combinedFeed, { around: 300 });
  expect(feed.window.ids).toHaveLength(110);
  const topic = client.state.openWindow(soup);
  expect([topic.window.ids.length, topic.window.isOutdated]).toEqual([110, true]);
  topic.openKnown("newest");
  await client.pass();
  const { shown, expected } = compare(server, client, topic);
  expect(shown).toEqual(expected);
  topic.close();
});

test("a public channel without a subscription is asked again while it is looked at, and at each visit", async () => {
  server.addChannel(6, { isSubscribed: false });
  const id = server.send({ channelId: 6, topic: "random" });
  client = await startMessageClient(server);
  let isVisible = true;
  const opened = await client.open(channelNarrow(6), { isVisible: () => isVisible });
  const next = server.send({ channelId: 6, topic: "random" });
  await client.pass(31_000);
  expect(opened.window.ids).toEqual([id, next]);
  server.delete(id);
  opened.wake();
  await client.pass(3000);
  expect(opened.window.ids).toEqual([next]);
  isVisible = false;
  server.calls.length = 0;
  await client.pass(120_000);
  expect(server.calls).toEqual([]);
  opened.close();
  const last = server.send({ channelId: 6, topic: "random" });
  const again = await client.open(channelNarrow(6));
  expect(again.window.ids).toEqual([next, last]);
});

test("a subscribed channel is not asked again while it is looked at", async () => {
  sayMany(3);
  client = await startMessageClient(server);
  await client.open(soup);
  server.calls.length = 0;
  await client.pass(120_000);
  expect(server.calls).toEqual([]);
});

test("a channel that is gone for the viewer leaves nothing to read", async () => {
  server.addChannel(7, { isPrivate: true });
  const secret = server.send({ channelId: 7, topic: "plan" });
  const open = server.send({ channelId: 4, topic: "soup" });
  client = await startMessageClient(server);
  const feed = await client.open(combinedFeed);
  const plan = await client.open(topicNarrow(7, "plan"));
  server.calls.length = 0;
  server.unsubscribe(7);
  await client.pass(5000);
  expect([feed.window.ids, plan.window.ids]).toEqual([[open], []]);
  expect(client.state.model.messages.byId.has(secret)).toBe(false);
  expect(server.calls).toEqual(["newest"]);
  server.subscribe(7);
  await client.pass(5000);
  expect([feed.window.ids, plan.window.ids]).toEqual([[secret, open], [secret]]);
});

test("a jump to the newest messages waits for the page that is under way", async () => {
  sayMany(300);
  client = await startMessageClient(server);
  const opened = client.state.openWindow(soup);
  void opened.open(100);
  await client.pass();
  server.isHolding = true;
  void opened.loadOlder();
  void opened.jumpToNewest();
  for (let at = 0; at < 2; at++) {
    await client.pass();
    server.release();
  }
  await client.pass();
  expect([opened.window.ids.at(-1), opened.window.foundNewest]).toEqual([300, true]);
  opened.close();
});

test("a request that fails in the background is made again, and the screen stays", async () => {
  sayMany(3);
  const other = server.send({ channelId: 4, topic: "bread" });
  sayMany(1);
  client = await startMessageClient(server);
  const opened = await client.open(soup);
  server.isHolding = true;
  server.move([other], "soup");
  await client.pass(3000);
  for (const { fail } of server.held.splice(0)) fail();
  await client.pass();
  expect([opened.window.ids, opened.problem]).toEqual([[1, 2, 3, 5], undefined]);
  server.isHolding = false;
  await client.pass(6000);
  expect(opened.window.ids).toEqual([1, 2, 3, 4, 5]);
});

test("what was saved of an earlier run is shown until the server has answered, and claims nothing", async () => {
  client = await startMessageClient(server);
  sayMany(3);
  const saved = client.state.windows.open(soup);
  saved.show({ ids: [1], foundOldest: true, foundNewest: true });
  const opened = await client.open(soup);
  expect(opened.window.ids).toEqual([1, 2, 3]);
});

const quinces = [{ operator: "search" as const, operand: "quince" }];

test("a search that ended early goes on by itself, and says so, until it is at the end", async () => {
  const oldest = server.send({ channelId: 4, topic: "soup", content: "<p>quince</p>" });
  sayMany(150);
  const newest = server.send({ channelId: 4, topic: "soup", content: "<p>quince</p>" });
  server.searchSpan = 40;
  client = await startMessageClient(server);
  server.isHolding = true;
  const opened = await client.open(quinces);
  server.calls.length = 0;
  server.release();
  await client.pass();
  expect(opened.window.ids).toEqual([newest]);
  expect(opened.isSearchingOn).toBe(true);
  expect(server.calls).toEqual(["113"]);
  server.isHolding = false;
  server.release();
  await client.pass();
  expect(server.calls).toEqual(["113", "73", "33"]);
  expect(opened.window.ids).toEqual([oldest, newest]);
  expect(opened.window.foundOldest).toBe(true);
  expect(opened.isSearchingOn).toBe(false);
});

test("a search stops going on when the reader leaves, and after so many requests it waits to be asked", async () => {
  server.send({ channelId: 4, topic: "soup", content: "<p>quince</p>" });
  sayMany(150);
  server.searchSpan = 5;
  client = await startMessageClient(server);
  const asked = await client.open(quinces);
  await client.pass(1000);
  const { searchedFrom } = asked.window;
  expect(asked.isSearchingOn).toBe(false);
  expect(asked.window.foundOldest).toBe(false);
  void asked.searchOn();
  await client.pass(1000);
  expect(asked.window.ids).toEqual([1]);
  expect(searchedFrom).toBeGreaterThan(1);
  asked.close();
  server.isHolding = true;
  const left = await client.open([...quinces, { operator: "channel", operand: 4 }]);
  server.release();
  await client.pass();
  server.calls.length = 0;
  left.close();
  server.release();
  await client.pass();
  expect(server.calls).toEqual([]);
});
