/**
 * 100 messages anywhere in a channel of 1,000,000, with the reader's flags. Messages of other channels lie
 * between them.
 */
import type { LoadResult } from "./harness/load.ts";
import { seeded } from "./harness/messages.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { get } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { type Spent, spending } from "./harness/used.ts";

const MESSAGES = size(1_100_000, 22_000);
const PEOPLE = 1000;
const REQUESTS = 2000;

await scenario(async () => {
  checkRest();
  const parley = await startParley({
    people: PEOPLE,
    keys: 20,
    subscribers: PEOPLE,
    channels: 10,
    ownChannels: 5,
    history: { messages: MESSAGES, benchShare: 10, readStretches: 100, unreadShare: 0.05 },
  });
  const { firstMessageId, lastMessageId, channelId, people, port } = parley;
  const random = seeded(7);
  const anywhere = () => firstMessageId + Math.floor(random() * (lastMessageId - firstMessageId));
  const requests = (anchor: () => string, narrow: unknown[], more: Record<string, string> = {}) =>
    Array.from({ length: REQUESTS }, (_, index) =>
      get(people[index % people.length] as (typeof people)[number], "/messages", {
        anchor: anchor(),
        num_before: "50",
        num_after: "49",
        narrow: JSON.stringify(narrow),
        apply_markdown: "true",
        client_gravatar: "true",
        ...more,
      }),
    );
  const channel = { operator: "channel", operand: channelId };
  const topic = () => ({ operator: "topic", operand: "topic 7" });
  const newest = { num_before: "100", num_after: "0" };
  const kinds: [string, string[]][] = [
    ["channel, anywhere", requests(() => String(anywhere()), [channel])],
    ["channel, newest", requests(() => "newest", [channel], newest)],
    ["topic, anywhere", requests(() => String(anywhere()), [channel, topic()])],
    ["all channels, anywhere", requests(() => String(anywhere()), [])],
    ["channel, first unread", requests(() => "first_unread", [channel])],
  ];
  const rows: { what: string; result: LoadResult; spent: Spent }[] = [];
  for (const [what, list] of kinds) {
    const task = {
      port,
      connections: 1,
      warmupSeconds: size(2, 0.3),
      seconds: size(10, 0.5),
      requests: list,
    };
    rows.push({ what, ...(await spending(parley, () => load(task))) });
  }

  printTable(
    `100 messages of ${Math.round((MESSAGES * 10) / 11)} in a channel; ${HEAP_FLAGS.join(" ")}`,
    rows.map(({ what, result }) => ({
      what,
      "p50 ms": result.p50Ms,
      "p99 ms": result.p99Ms,
      "max ms": result.maxMs,
      "answers/s": result.perSecond,
      "kB an answer": result.bytes / 1000,
    })),
  );
  const [first] = rows as [(typeof rows)[number]];
  console.log();
  printGoal("p50, ms", first.result.p50Ms, { most: 5 });
  printGoal("p99, ms", first.result.p99Ms, { most: 20 });
  save("history", { messages: MESSAGES, heapFlags: HEAP_FLAGS, rows });
});
