/**
 * The cost of a send and of a page of history as an organization grows. One thing grows at a time:
 * subscribers of the channel, event queues on the server, messages in the history. With `--save` it draws
 * docs/flat.svg.
 */
import { writeFileSync } from "node:fs";
import { drawChart, type Line, type Point } from "./harness/chart.ts";
import { median } from "./harness/figures.ts";
import type { Fixture } from "./harness/fixture.ts";
import type { LoadResult } from "./harness/load.ts";
import { seeded } from "./harness/messages.ts";
import { isSaving, size } from "./harness/options.ts";
import type { Ready } from "./harness/parley-server.ts";
import { HEAP_FLAGS, load, type Server, startParley } from "./harness/processes.ts";
import { registerQueues } from "./harness/queues.ts";
import { checkRest, printTable, save } from "./harness/report.ts";
import { get, sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { type Spent, spending } from "./harness/used.ts";

const CHART = "docs/flat.svg";
const SENDERS = 64;
const PEOPLE = size(10_000, 200);
const SUBSCRIBERS = size([10, 100, 1000, 10_000], [10, 100]);
const QUEUES = size([10, 100, 1000, 10_000], [10, 100]);
const LISTENERS = size(1000, 50);
const HISTORIES = size([1000, 10_000, 100_000, 1_000_000], [1000, 10_000]);
/** Servers of one series are measured in turn, so that other load on the machine affects all of them. */
const ROUNDS = size(3, 1);

await scenario(async () => {
  checkRest();
  const sending: Line[] = [
    { name: "subscribers", points: await bySubscribers() },
    { name: "event queues", points: await byQueues() },
  ];
  const { sendPoints, pagePoints } = await byHistory();
  sending.push({ name: "messages", points: sendPoints });
  const paging: Line[] = [{ name: "messages", points: pagePoints }];

  const row = (what: string, unit: string) => (line: Line) =>
    line.points.map(({ x, y }) => ({ what, against: line.name, count: Math.round(x), [unit]: y }));
  printTable(`processor time of a send, ${SENDERS} senders; ${HEAP_FLAGS.join(" ")}`, [
    ...sending.flatMap(row("send", "µs")),
  ]);
  printTable("100 messages anywhere in a channel", paging.flatMap(row("page", "ms, p50")));
  save("flat", { heapFlags: HEAP_FLAGS, senders: SENDERS, sending, paging });
  if (isSaving) writeFileSync(CHART, draw(sending, paging));
});

/** The subscribers are offline. */
async function bySubscribers(): Promise<Point[]> {
  const servers = await startAll(
    SUBSCRIBERS.map((subscribers) => ({ people: PEOPLE, keys: SENDERS, subscribers })),
  );
  const costs = await inTurn(servers, measureSends);
  await stopAll(servers);
  return costs.map((each, index) => ({ x: SUBSCRIBERS[index] as number, y: median(each.map(costOf)) }));
}

/** Queues of people who are not in the channel. */
async function byQueues(): Promise<Point[]> {
  const people = SENDERS + LISTENERS;
  const servers = await startAll(QUEUES.map(() => ({ people, keys: people, subscribers: SENDERS })));
  for (const [index, { port, people }] of servers.entries()) {
    const listeners = Array.from(
      { length: QUEUES[index] as number },
      (_, number) => people[SENDERS + (number % LISTENERS)] as (typeof people)[number],
    );
    await registerQueues(port, listeners);
  }
  const costs = await inTurn(servers, measureSends);
  await stopAll(servers);
  return costs.map((each, index) => ({ x: QUEUES[index] as number, y: median(each.map(costOf)) }));
}

async function byHistory(): Promise<{ sendPoints: Point[]; pagePoints: Point[] }> {
  const servers = await startAll(
    HISTORIES.map((messages) => ({
      people: 100,
      keys: SENDERS,
      subscribers: 100,
      history: { messages, benchShare: 11, readStretches: 1, unreadShare: 0.05 },
    })),
  );
  const pages = await inTurn(servers, measurePages);
  const pagePoints = pages.map((each, index) => ({
    x: HISTORIES[index] as number,
    y: median(each.map((result) => result.p50Ms)),
  }));
  // Sends make the history longer, so each counts for the length in the middle of its time.
  const lengths = [...HISTORIES];
  const sendsOf = await inTurn(servers, async (server, index) => {
    const spent = await measureSends(server);
    const length = (lengths[index] as number) + spent.messages / 2;
    lengths[index] = (lengths[index] as number) + spent.messages;
    return { length, cost: costOf(spent) };
  });
  await stopAll(servers);
  const sendPoints = sendsOf.map((each) => ({
    x: median(each.map(({ length }) => length)),
    y: median(each.map(({ cost }) => cost)),
  }));
  return { sendPoints, pagePoints };
}

async function startAll(fixtures: readonly Fixture[]): Promise<Server<Ready>[]> {
  const servers: Server<Ready>[] = [];
  for (const fixture of fixtures) servers.push(await startParley(fixture));
  return servers;
}

async function stopAll(servers: readonly Server<Ready>[]): Promise<void> {
  await Promise.all(servers.map(({ peer }) => peer.stop()));
}

/** The results of each round, by server; the first round only warms up. */
async function inTurn<T>(
  servers: readonly Server<Ready>[],
  measure: (server: Server<Ready>, index: number) => Promise<T>,
): Promise<T[][]> {
  const results = servers.map((): T[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      const result = await measure(server, index);
      if (round > 0) results[index]?.push(result);
    }
  }
  return results;
}

async function measureSends(parley: Server<Ready>): Promise<Spent> {
  const requests = sends(parley.channelId, parley.people.slice(0, SENDERS));
  const task = {
    port: parley.port,
    connections: SENDERS,
    warmupSeconds: 0.2,
    seconds: size(1.5, 0.3),
    requests,
  };
  return (await spending(parley, () => load(task))).spent;
}

/** Processor time of a send in microseconds, of Node and PostgreSQL together. */
function costOf({ nodeSeconds, databaseSeconds = 0, messages }: Spent): number {
  return ((nodeSeconds + databaseSeconds) * 1e6) / messages;
}

function measurePages({
  port,
  people,
  channelId,
  firstMessageId,
  lastMessageId,
}: Ready): Promise<LoadResult> {
  const random = seeded(11);
  const requests = Array.from({ length: 500 }, (_, index) =>
    get(people[index % people.length] as (typeof people)[number], "/messages", {
      anchor: String(firstMessageId + Math.floor(random() * (lastMessageId - firstMessageId))),
      num_before: "50",
      num_after: "49",
      narrow: JSON.stringify([{ operator: "channel", operand: channelId }]),
      apply_markdown: "true",
      client_gravatar: "true",
    }),
  );
  return load({ port, connections: 1, warmupSeconds: 0.2, seconds: size(1.5, 0.3), requests });
}

function draw(sending: readonly Line[], paging: readonly Line[]): string {
  return drawChart([
    { title: "A send: processor time, µs", across: "how many of them there are", lines: sending },
    { title: "100 messages of history: ms, p50", across: "messages in the channel", lines: paging },
  ]);
}
