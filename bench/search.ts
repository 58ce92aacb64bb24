/**
 * Searches in 1,000,000 messages, and narrows that match few messages. Each returns 50 messages with the
 * matches highlighted.
 */
import { frequencies } from "./harness/history-fixture.ts";
import type { LoadResult } from "./harness/load.ts";
import { seeded } from "./harness/messages.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { get } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { type Spent, spending } from "./harness/used.ts";

const MESSAGES = size(1_000_000, 22_000);
const PEOPLE = 1000;
const REQUESTS = 500;

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
    ["a phrase", requests(() => [search('"the release to monday"')])],
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
  save("search", { messages: MESSAGES, heapFlags: HEAP_FLAGS, rows });
});
