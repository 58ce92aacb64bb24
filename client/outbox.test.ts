import { afterEach, expect, test, vi } from "vitest";
import { openTab, settle, TestBrowser, TestServer } from "./outbox/test-world.ts";

const to = { kind: "channel", channelId: 4, topic: "soup" } as const;
const refusal = { status: 400, body: { result: "error", msg: "Not here.", code: "BAD_REQUEST" } };

afterEach(() => void vi.useRealTimers());

function world() {
  const server = new TestServer();
  const browser = new TestBrowser();
  return { server, browser, tab: openTab(server, browser), next: () => server.held.shift() };
}

test("a message waits for its event, and gives it its local id", async () => {
  const { server, tab, next, browser } = world();
  const message = tab.outbox.send(to, "Leek?");
  expect(tab.outbox.messages).toEqual([message]);
  await next()?.run();
  expect(server.messages).toMatchObject([{ id: 101, localId: message.localId, subject: "soup" }]);
  expect([tab.outbox.messages.length, tab.outbox.isEmpty, browser.stored.size]).toEqual([1, false, 0]);
  tab.outbox.handleArrival(message.localId, 101);
  expect([tab.outbox.messages, tab.outbox.localIds.get(101)]).toEqual([[], message.localId]);
});

test("a refused message says why, keeps its text, and is sent again only when asked", async () => {
  const { server, tab, next } = world();
  const message = tab.outbox.send(to, "Leek?");
  await next()?.run(refusal);
  expect(message).toMatchObject({ state: "failed", problem: "Not here.", content: "Leek?" });
  expect([server.posts, tab.outbox.isEmpty]).toEqual([1, true]);
  tab.outbox.handleConnection();
  expect(server.posts).toBe(1);
  tab.outbox.retry(message);
  expect([server.posts, message.state]).toEqual([2, "sending"]);
  await next()?.run("away");
  expect(message.state).toBe("failed");
  tab.outbox.remove(message);
  expect(tab.outbox.messages).toEqual([]);
});

test("messages of a conversation go out one after another, also past one that fails", async () => {
  const { server, tab, next } = world();
  const { outbox } = tab;
  for (const text of ["One", "Two", "Three"]) outbox.send(to, text);
  outbox.send({ kind: "direct", userIds: [12] }, "Meanwhile");
  expect(server.held).toHaveLength(2);
  await next()?.run(refusal);
  await next()?.run();
  await next()?.run();
  await next()?.run();
  expect(server.messages.map(({ content }) => content)).toEqual(["Meanwhile", "Two", "Three"]);
  expect(outbox.messages.map(({ state, id }) => [state, id])).toEqual([
    ["failed", undefined],
    ["sending", 102],
    ["sending", 103],
    ["sending", 101],
  ]);
});

test("messages of other programs change nothing", () => {
  const { tab } = world();
  tab.outbox.handleArrival(undefined, 5);
  tab.outbox.handleArrival("another tab's", 6);
  expect([tab.changes, tab.outbox.localIds.size]).toEqual([0, 0]);
});

test("an answer that comes after a new snapshot ends the message, which is fetched if it is not known", async () => {
  const { tab, next } = world();
  const isThere = tab.outbox.send(to, "In a page already");
  tab.queue = "another";
  tab.outbox.handleSnapshot();
  tab.known.add(101);
  await next()?.run();
  expect([tab.outbox.messages, tab.outbox.localIds.get(101)]).toEqual([[], isThere.localId]);
  tab.outbox.send(to, "In no page");
  tab.queue = "a third";
  await next()?.run();
  expect([tab.outbox.messages, tab.fetched]).toEqual([[], [102]]);
});

test("an event without a local id ends the message by its id", async () => {
  const { tab, next } = world();
  tab.outbox.send(to, "Leek?");
  await next()?.run();
  expect(tab.outbox.handleArrival(undefined, 101)).toBe(true);
  expect(tab.outbox.messages).toEqual([]);
});

test("a message of which no event tells is fetched, at once where none will come", async () => {
  vi.useFakeTimers();
  const { tab, next } = world();
  tab.outbox.send(to, "Events are late");
  const call = next()?.run();
  await vi.advanceTimersByTimeAsync(100);
  await call;
  expect(tab.outbox.messages).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([tab.outbox.messages, tab.fetched]).toEqual([[], [101]]);
  tab.isHeard = false;
  tab.outbox.send(to, "Not subscribed");
  const other = next()?.run();
  await vi.advanceTimersByTimeAsync(100);
  await other;
  expect([tab.outbox.messages, tab.fetched]).toEqual([[], [101, 102]]);
});

test("while the server is away messages wait, and then go out by themselves in order", async () => {
  const { server, tab, next } = world();
  tab.isConnected = false;
  const one = tab.outbox.send(to, "One");
  tab.outbox.send(to, "Two");
  expect([server.posts, tab.outbox.reasonToWait(one), tab.outbox.unsent.length]).toEqual([
    0,
    "connection",
    2,
  ]);
  expect([tab.outbox.isEmpty, tab.outbox.isSafe]).toEqual([true, true]);
  tab.isConnected = true;
  tab.outbox.handleConnection();
  await next()?.run();
  await next()?.run();
  expect(server.messages.map(({ content }) => content)).toEqual(["One", "Two"]);
});

test("a message whose answer was lost is looked for before it is sent again", async () => {
  const { server, tab, next } = world();
  const arrived = tab.outbox.send(to, "It arrived");
  await next()?.run("lost");
  expect([arrived.state, server.messages.length]).toEqual(["failed", 1]);
  tab.outbox.retry(arrived);
  expect(next()?.method ?? server.held[0]?.method).toBe("GET");
});

test("one that the server turns out to have disappears, and is not sent twice", async () => {
  const { server, tab, next } = world();
  const arrived = tab.outbox.send(to, "It arrived");
  await next()?.run("lost");
  tab.outbox.retry(arrived);
  await next()?.run();
  await settle();
  expect([server.posts, server.messages.length, tab.outbox.messages]).toEqual([1, 1, []]);
});

test("one that the server does not have is sent when the person asks for it, not before", async () => {
  const { server, tab, next } = world();
  const lost = tab.outbox.send(to, "It did not arrive");
  await next()?.run("away");
  tab.outbox.handleConnection();
  await next()?.run();
  expect([lost.state, server.posts]).toEqual(["failed", 1]);
  tab.outbox.retry(lost);
  await next()?.run();
  await next()?.run();
  expect(server.messages.map(({ content }) => content)).toEqual(["It did not arrive"]);
});

test("an equal text that was sent before is another message", async () => {
  const { server, tab, next } = world();
  const first = tab.outbox.send(to, "ok");
  await next()?.run();
  tab.outbox.handleArrival(first.localId, 101);
  const second = tab.outbox.send(to, "ok");
  await next()?.run("away");
  tab.outbox.handleConnection();
  await next()?.run();
  expect([second.state, tab.outbox.messages]).toEqual(["failed", [second]]);
  expect(server.messages).toHaveLength(1);
});

test("an own message from elsewhere makes it look for those whose answer was lost", async () => {
  const { server, tab, next } = world();
  tab.outbox.send(to, "Slow");
  const slow = next();
  await slow?.run("away");
  // The server gets it after all.
  server.messages.push({ id: 102, content: "Slow", subject: "soup", localId: undefined });
  tab.outbox.handleOwnMessage();
  await next()?.run();
  await settle();
  expect([server.posts, tab.outbox.messages]).toEqual([1, []]);
});

test("a page that is loaded again has what failed, what waited, and what was never attempted", async () => {
  const { server, browser, tab, next } = world();
  tab.outbox.send(to, "Refused");
  await next()?.run(refusal);
  tab.isConnected = false;
  tab.outbox.send(to, "Waiting");
  browser.close(tab.name);
  const again = openTab(server, browser);
  browser.grant();
  expect(again.outbox.messages.map(({ content, state }) => [content, state])).toEqual([
    ["Refused", "failed"],
    ["Waiting", "sending"],
  ]);
  await next()?.run();
  expect(server.messages.map(({ content }) => content)).toEqual(["Waiting"]);
});

test("a page that was loaded again while it was sending looks before it says that nothing was sent", async () => {
  const { server, browser, tab, next } = world();
  tab.outbox.send(to, "Arrived");
  await next()?.run("lost");
  tab.outbox.send({ kind: "direct", userIds: [12] }, "Blocked");
  browser.close(tab.name);
  server.held.length = 0;
  const again = openTab(server, browser);
  browser.grant();
  await next()?.run();
  await next()?.run();
  await settle();
  expect(again.outbox.messages).toMatchObject([
    { content: "Blocked", state: "failed", problem: "interrupted" },
  ]);
  expect(server.posts).toBe(2);
});

test("messages of another account are neither shown nor sent, and stay stored", async () => {
  const { server, browser, tab } = world();
  tab.isConnected = false;
  tab.outbox.send(to, "Private");
  browser.close(tab.name);
  const other = openTab(server, browser, 8);
  browser.grant();
  expect([other.outbox.messages, server.posts, browser.stored.size]).toEqual([[], 0, 1]);
  const own = openTab(server, browser);
  browser.grant();
  expect(own.outbox.messages).toHaveLength(1);
});

test("with a full storage nothing is safe, and everything still goes out", async () => {
  const { server, browser, tab, next } = world();
  browser.isFull = true;
  tab.outbox.send(to, "Leek?");
  expect(tab.outbox.isSafe).toBe(false);
  await next()?.run();
  expect([server.messages.length, tab.outbox.isSafe]).toEqual([1, true]);
});

test("a message that waits goes along when its topic is moved", async () => {
  const { server, tab, next } = world();
  tab.isConnected = false;
  tab.outbox.send(to, "Leek?");
  const move = { from: { channelId: 4, topic: "Soup" }, to: { channelId: 4, topic: "✔ soup" } };
  tab.outbox.handleMove(move, false);
  tab.isConnected = true;
  tab.outbox.handleConnection();
  await next()?.run();
  expect(server.messages.map(({ subject }) => subject)).toEqual(["✔ soup"]);
});

const toOthers = { from: { channelId: 4, topic: "soup" }, to: { channelId: 9, topic: "soup" } };

test("a message whose topic goes to where others read is sent when the person has looked at it", async () => {
  const { server, browser, tab, next } = world();
  tab.isConnected = false;
  const message = tab.outbox.send(to, "For few.");
  tab.outbox.handleMove(toOthers, true);
  tab.isConnected = true;
  tab.outbox.handleConnection();
  expect([server.posts, tab.outbox.unsent]).toEqual([0, [message]]);
  expect(message).toMatchObject({ state: "failed", isHeld: true, to: { channelId: 9 } });
  const other = openTab(server, browser);
  browser.close(tab.name);
  browser.grant();
  expect([server.posts, other.outbox.unsent]).toMatchObject([0, [{ isHeld: true }]]);
  other.outbox.retry(other.outbox.messages[0] as typeof message);
  await next()?.run();
  expect([server.messages.length, other.outbox.messages[0]?.isHeld]).toEqual([1, false]);
});

test("a message that is on its way to the old place meanwhile is sent once, or is held", async () => {
  const { server, tab, next } = world();
  const arrived = tab.outbox.send(to, "For few.");
  tab.outbox.handleMove(toOthers, true);
  await next()?.run();
  expect([arrived.id, arrived.state]).toEqual([101, "sending"]);
  const lost = tab.outbox.send(to, "Also for few.");
  tab.outbox.handleMove(toOthers, true);
  tab.isConnected = false;
  await next()?.run("away");
  tab.isConnected = true;
  tab.outbox.handleConnection();
  while (server.held.length > 0) await next()?.run();
  expect([server.posts, lost.state, lost.isHeld]).toEqual([2, "failed", true]);
});

test("a message that is looked for meanwhile, to be sent again, is held", async () => {
  const { server, tab, next } = world();
  const message = tab.outbox.send(to, "For few.");
  await next()?.run("away");
  expect(message).toMatchObject({ state: "failed", isUncertain: true });
  tab.outbox.retry(message);
  tab.outbox.handleMove(toOthers, true);
  await next()?.run();
  expect([server.posts, message.state, message.isHeld]).toEqual([1, "failed", true]);
});

test("a message waits for its files, while later ones go out", async () => {
  const { server, tab, next } = world();
  const places = ["[Uploading a.png…]()", "[Uploading b.png…]()"];
  const message = tab.outbox.send(to, `See ${places.join(" ")}`, places);
  tab.outbox.send(to, "Meanwhile");
  expect([tab.outbox.reasonToWait(message), tab.outbox.isSafe]).toEqual(["files", false]);
  await next()?.run();
  expect(tab.outbox.fillFile(places[1] as string, "[b.png](/b)")).toBe(true);
  expect(server.posts).toBe(1);
  tab.outbox.fillFile(places[0] as string, "[a.png](/a)");
  await next()?.run();
  expect(server.messages.map(({ content }) => content)).toEqual(["Meanwhile", "See [a.png](/a) [b.png](/b)"]);
  expect(tab.outbox.fillFile("[Uploading c.png…]()", "[c.png](/c)")).toBe(false);
});

test("a file that fails leaves its message with the text and the reason", async () => {
  const { server, tab, next } = world();
  const place = "[Uploading a.png…]()";
  const message = tab.outbox.send(to, `See ${place}`, [place]);
  tab.outbox.failFile(place, "a.png: too large");
  expect(message).toMatchObject({ state: "failed", content: "See", problem: "a.png: too large" });
  tab.outbox.retry(message);
  await next()?.run();
  expect(server.messages.map(({ content }) => content)).toEqual(["See"]);
  tab.outbox.send(to, place, [place]);
  expect(tab.outbox.failFile(place, "a.png: too large")).toBe(false);
  expect(tab.outbox.unsent).toEqual([]);
});

test("after a reload a file that was on its way has to be added again, and no place is sent", async () => {
  const { server, browser, tab, next } = world();
  const place = "[Uploading a.png…]()";
  tab.outbox.send(to, `See ${place}`, [place]);
  browser.close(tab.name);
  const again = openTab(server, browser);
  browser.grant();
  const [message] = again.outbox.messages;
  expect(message).toMatchObject({ state: "failed", problem: "filesLost", files: [] });
  expect(message?.content).toBe(`See (add ${place} again)`);
  expect([server.posts, next()]).toEqual([0, undefined]);
});
