/**
 * What the newest entries of a log take in memory: 1,500 messages of 10,000 characters, most of them emoji,
 * so that their HTML is ten times as long. Somebody polls, so the form for queues is made of each as well.
 * The baseline is as many short messages, just before.
 */
import type { Person } from "./harness/fixture.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, type Memory, startParley } from "./harness/processes.ts";
import { type Registered, registerQueues } from "./harness/queues.ts";
import { printGoal, printTable, save } from "./harness/report.ts";
import { authorization } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const MESSAGES = size(1500, 30);
const AT_ONCE = 10;
const LENGTH = 10_000;
const FLAGS = [...HEAP_FLAGS, "--expose-gc"];
const GOAL_MB = 100;

const short = (n: number) => `message ${n}`;
const long = (n: number) => `${n} ${":smile: ".repeat(LENGTH / 8)}`.slice(0, LENGTH);

await scenario(async () => {
  const parley = await startParley({ people: AT_ONCE, keys: AT_ONCE, subscribers: AT_ONCE }, FLAGS);
  const { port, channelId, people, peer } = parley;
  const [queue] = (await registerQueues(port, people.slice(0, 1))) as [Registered];
  const url = `http://127.0.0.1:${port}/api/v1`;
  let { lastEventId } = queue;
  const memory = async () => {
    const { heapUsed, external, rss } = await peer.ask<Memory>({ ask: "memory" });
    return { heapMB: heapUsed / 2 ** 20, externalMB: external / 2 ** 20, rssMB: rss / 2 ** 20 };
  };

  await exchange(short);
  const atRest = await memory();
  await exchange(short);
  const afterShort = await memory();
  await exchange(long);
  const afterLong = await memory();

  printTable(`the memory of a server, after full collections; ${FLAGS.join(" ")}`, [
    { after: `${MESSAGES} short messages`, ...atRest },
    { after: `${MESSAGES} more`, ...afterShort },
    { after: `${MESSAGES} of ${LENGTH} characters`, ...afterLong },
  ]);
  // What a server has once taken from the system for its young objects, it keeps for a while.
  const grownMB = afterLong.heapMB + afterLong.externalMB - afterShort.heapMB - afterShort.externalMB;
  console.log();
  printGoal(`MB that ${MESSAGES} long messages leave`, grownMB, { most: GOAL_MB });
  console.log(`resident memory grew by ${(afterLong.rssMB - afterShort.rssMB).toFixed(0)} MB`);
  save("log-memory", { messages: MESSAGES, length: LENGTH, atRest, afterShort, afterLong, grownMB });

  /** Sends messages, and has them all polled. */
  async function exchange(text: (n: number) => string): Promise<void> {
    let newest = 0;
    let isSent = false;
    const heard = (async () => {
      while (!isSent || lastEventId < newest) lastEventId = await poll(queue, lastEventId);
    })();
    let next = 0;
    await Promise.all(
      people.slice(0, AT_ONCE).map(async (person) => {
        while (next < MESSAGES) newest = Math.max(newest, await send(person, text(next++)));
      }),
    );
    isSent = true;
    // The poll under way ends with it.
    newest = Math.max(newest, await send(people[0] as Person, "the last"));
    await heard;
  }

  async function send(person: Person, content: string): Promise<number> {
    const body = new URLSearchParams({ type: "channel", to: String(channelId), topic: "memory", content });
    const headers = { authorization: authorization(person) };
    const response = await fetch(`${url}/messages`, { method: "POST", headers, body });
    const { id } = (await response.json()) as { id?: number };
    if (id === undefined) throw new Error(`a message was refused with ${response.status}`);
    return id;
  }

  async function poll({ person, queueId }: Registered, after: number): Promise<number> {
    const query = new URLSearchParams({ queue_id: queueId, last_event_id: String(after) });
    const headers = { authorization: authorization(person) };
    const response = await fetch(`${url}/events?${query}`, { headers });
    const { events = [] } = (await response.json()) as { events?: { id: number }[] };
    return events.at(-1)?.id ?? after;
  }
});
