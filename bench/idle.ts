/**
 * Memory of an idle held poll with its queue, against a request that a bare node:http server holds. The
 * resident memory counts, and the heap explains it.
 */
import { connect, type Socket } from "node:net";
import { sleep } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, type Memory, type Peer, startBareServer, startParley } from "./harness/processes.ts";
import { registerQueues } from "./harness/queues.ts";
import { printGoal, printTable, save } from "./harness/report.ts";
import { poll } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const POLLS = size(10_000, 200);
const PEOPLE = size(1000, 50);
const FLAGS = [...HEAP_FLAGS, "--expose-gc"];

interface Figures {
  heapEach: number;
  rssEach: number;
}

await scenario(async () => {
  const bare = await startBareServer(FLAGS);
  const person = { id: 0, email: "person0@bench.test", apiKey: "0".repeat(32) };
  const barePoll = poll(person, "00000000-0000-0000-0000-000000000000");
  const bareFigures = await measure(bare.peer, async () => () => {
    return open(bare.port, `${barePoll.before}-1${barePoll.after}`);
  });
  await bare.peer.stop();

  const parley = await startParley({ people: PEOPLE, keys: PEOPLE, subscribers: PEOPLE }, FLAGS);
  const { port, people } = parley;
  const personOf = (index: number) => people[index % people.length] as (typeof people)[number];
  // These polls create everything that is created once, before the measurement starts.
  await registerQueues(port, people.slice(0, 200));
  const parleyFigures = await measure(parley.peer, async () => {
    const queues = await registerQueues(
      port,
      Array.from({ length: POLLS }, (_, index) => personOf(index)),
    );
    return (index) => {
      const queue = queues[index] as (typeof queues)[number];
      const { before, after } = poll(queue.person, queue.queueId);
      return open(port, `${before}${queue.lastEventId}${after}`);
    };
  });
  await parley.peer.stop();

  const ratio = parleyFigures.rssEach / bareFigures.rssEach;
  const heapRatio = parleyFigures.heapEach / bareFigures.heapEach;
  printTable(`${POLLS} idle held polls; ${FLAGS.join(" ")}`, [
    { server: "bare node:http", "heap each (B)": bareFigures.heapEach, "RSS each (B)": bareFigures.rssEach },
    { server: "parley", "heap each (B)": parleyFigures.heapEach, "RSS each (B)": parleyFigures.rssEach },
  ]);
  console.log();
  printGoal("ratio by resident memory", ratio, { most: 1.5 });
  console.log(`ratio by heap: ${heapRatio.toFixed(2)}`);
  save("idle", {
    polls: POLLS,
    heapFlags: FLAGS,
    ratio,
    heapRatio,
    bare: bareFigures,
    parley: parleyFigures,
  });
});

/** `prepare` makes the queues: a poll costs what it costs with its queue. */
async function measure(
  peer: Peer<unknown>,
  prepare: () => Promise<(index: number) => Promise<Socket>>,
): Promise<Figures> {
  const before = await peer.ask<Memory>({ ask: "memory" });
  const start = await prepare();
  const sockets: Socket[] = [];
  for (let index = 0; index < POLLS; index += 100) {
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, (_, each) => start(index + each)))));
  }
  let after = await peer.ask<Memory>({ ask: "memory" });
  for (let tries = 0; after.held < POLLS && tries < 100; tries++) {
    await sleep(50);
    after = await peer.ask<Memory>({ ask: "memory" });
  }
  if (after.held !== POLLS) throw new Error(`${after.held} of ${POLLS} requests are held`);
  for (const socket of sockets) socket.destroy();
  return {
    heapEach: (after.heapUsed - before.heapUsed) / POLLS,
    rssEach: (after.rss - before.rss) / POLLS,
  };
}

function open(port: number, request: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(request, () => resolve(socket)));
    socket.on("error", reject);
  });
}
