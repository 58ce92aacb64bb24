/**
 * Searches in 1,000,000 messages, and narrows that match few messages. Each returns 50 messages with the
 * matches highlighted. Then 100,000 messages are loaded at once: how soon is a word found that is sent right
 * after them, how slow are searches meanwhile, and when has the index caught up?
 */
import { sleep, spreadOf } from "./harness/figures.ts";
import { frequencies } from "./harness/history-fixture.ts";
import type { LoadResult } from "./harness/load.ts";
import { seeded } from "./harness/messages.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { get, post } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { type Spent, spending } from "./harness/used.ts";

const MESSAGES = size(1_000_000, 22_000);
const PEOPLE = 1000;
const REQUESTS = 500;
const LOADED = size(100_000, 5000);

await scenario(async () => {
  checkRest();
  const parley = await startParley({
    people: PEOPLE,
    keys: 20,
    subscribers: PEOPLE,
    channels: 1000,
    ownChannels: 100,
    history: { messages: MESSAGES, benchShare: 3, readStretches: 10, unreadShare: 0.05, isSearched: true },
  });
  const { channelId, people, port } = parley;
  const random = seeded(11);
  const requests = (narrow: () => unknown[], more: Record<string, string> = {}) =>
    Array.from({ length: REQUESTS }, (_, index) =>
      get(people[index % people.length] as (typeof people)[number], "/messages", {
        anchor: "newest",
        num_before: "50",
        num_after: "0",
        narrow: JSON.stringify(narrow()),
        ...more,
      }),
    );
  const search = (text: string) => ["search", text];
  const words = Object.keys(frequencies);
  const channel = ["channel", channelId];
  const kinds: [string, string[]][] = [
    ["a word of most messages", requests(() => [search("release")])],
    ...words.map((word): [string, string[]] => [`"${word}"`, requests(() => [search(word)])]),
    ["a word of one message", requests(() => [search(`own${Math.floor(random() * MESSAGES)}`)])],
    ["a word of none", requests(() => [search("nowhere")])],
    ["two words", requests(() => [search("hundredth monday")])],
    ["three rare words", requests(() => [search("tenth hundredth thousandth")])],
    ["a part of a word", requests(() => [search("dredt")])],
    ["the words of the phrase", requests(() => [search("the release to monday")])],
    ["a phrase", requests(() => [search('"the release to monday"')])],
    ["a phrase of two words", requests(() => [search('"release monday"')])],
    ["a phrase of none", requests(() => [search('"monday release the nobody works"')])],
    ["in a channel", requests(() => [search("hundredth"), channel])],
    ["in a topic", requests(() => [search("release"), channel, ["topic", "topic 7"]])],
    ["from a sender", requests(() => [search("hundredth"), ["sender", "me"]])],
    ["unread", requests(() => [search("hundredth"), ["is", "unread"]])],
    ["has:link, of none", requests(() => [["has", "link"]])],
    ["has:reaction, of none", requests(() => [["has", "reaction"]])],
    ["sender", requests(() => [["sender", "me"]])],
    ["is:resolved, of none", requests(() => [["is", "resolved"]])],
    ["not in the channel", requests(() => [[...channel], ["is", "starred"]])],
  ];
  const rows: { what: string; result: LoadResult; spent: Spent }[] = [];
  for (const [what, list] of kinds) {
    const task = {
      port,
      connections: 1,
      warmupSeconds: size(0.5, 0.2),
      seconds: size(3, 0.3),
      requests: list,
    };
    rows.push({ what, ...(await spending(parley, () => load(task))) });
  }

  const soon = await sendAndFind("before the load");
  const rareMs: number[] = [];
  const began = performance.now();
  await parley.peer.ask({ ask: "load", messages: LOADED });
  const loadMs = performance.now() - began;
  const oldestMs = await timeOfOldest();
  const late = await sendAndFind("after the load");
  const indexedMs = await untilIndexed(rareMs);

  printTable(
    `50 of ${MESSAGES} messages; ${HEAP_FLAGS.join(" ")}`,
    rows.map(({ what, result }) => ({
      what,
      "p50 ms": result.p50Ms,
      "p99 ms": result.p99Ms,
      "max ms": result.maxMs,
      "answers/s": result.perSecond,
      "kB an answer": result.bytes / 1000,
    })),
  );
  console.log();
  printGoal("p50 of the slowest, ms", Math.max(...rows.map(({ result }) => result.p50Ms)), { most: 20 });
  printGoal("p99 of the slowest, ms", Math.max(...rows.map(({ result }) => result.p99Ms)), { most: 100 });
  const spread = spreadOf(rareMs);
  printTable(`${LOADED} messages loaded in ${Math.round(loadMs)} ms`, [
    { what: "sent before, found after, ms", ms: soon },
    { what: "sent right after, found after, ms", ms: late },
    { what: "a rare word meanwhile, p50 ms", ms: spread.p50Ms },
    { what: "a rare word meanwhile, p99 ms", ms: spread.p99Ms },
    { what: "the oldest of them, asked for right after, ms", ms: oldestMs },
    { what: "all of them indexed after, s", ms: indexedMs / 1000 },
  ]);
  printGoal("the oldest loaded message, found right after the load, ms", oldestMs, { most: 500 });
  printGoal("a word sent right after the load is found, ms", late, { most: 1000 });
  save("search", {
    messages: MESSAGES,
    heapFlags: HEAP_FLAGS,
    rows,
    loaded: {
      messages: LOADED,
      loadMs,
      foundMsBefore: soon,
      foundMsAfter: late,
      meanwhile: spread,
      oldestMs,
      indexedMs,
    },
  });

  /** How long after its send a message is found by its word. */
  async function sendAndFind(text: string): Promise<number> {
    const person = people[0] as (typeof people)[number];
    const word = `xylo${Math.floor(random() * 1e9)}`;
    const content = `${word} ${text}`;
    const { id } = await call<{ id: number }>(
      post(person, "/messages", { type: "channel", to: String(channelId), topic: "topic 1", content }),
    );
    const sentAt = performance.now();
    for (;;) {
      const { messages } = await call<{ messages: { id: number }[] }>(searchFor(word));
      if (messages.some((message) => message.id === id)) return performance.now() - sentAt;
      if (performance.now() - sentAt > size(600_000, 60_000)) return Number.POSITIVE_INFINITY;
      await sleep(20);
    }
  }

  /** How long the one search for the oldest of the loaded messages takes, none of which is indexed yet. */
  async function timeOfOldest(): Promise<number> {
    const asked = performance.now();
    const { messages } = await call<{ messages: unknown[] }>(searchFor("loadedfirst"));
    return messages.length > 0 ? performance.now() - asked : Number.POSITIVE_INFINITY;
  }

  /** Searches for a rare word until the index has all of the loaded messages. */
  async function untilIndexed(times: number[]): Promise<number> {
    const start = performance.now();
    for (;;) {
      const asked = performance.now();
      await call(searchFor("loadedfirst"));
      times.push(performance.now() - asked);
      const { positions } = await parley.peer.ask<{ positions: number }>({ ask: "unindexed" });
      if (positions === 0 || performance.now() - start > size(900_000, 60_000))
        return performance.now() - start;
      await sleep(500);
    }
  }

  function searchFor(word: string): string {
    return get(people[0] as (typeof people)[number], "/messages", {
      anchor: "newest",
      num_before: "50",
      num_after: "0",
      narrow: JSON.stringify([search(word)]),
    });
  }

  /** One request on a connection of its own. */
  async function call<T>(request: string): Promise<T> {
    const [head = "", body = ""] = request.split("\r\n\r\n");
    const [line = "", ...headers] = head.split("\r\n");
    const [method, path] = line.split(" ");
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: method as string,
      headers: headers
        .map((header) => header.split(": ") as [string, string])
        .filter(([name]) => /^(authorization|content-type)$/i.test(name)),
      ...(body !== "" && { body }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }
});
