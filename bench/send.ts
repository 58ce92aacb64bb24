/**
 * Durable sends a second with 64 senders, against a bare node:http server that answers the same form POST.
 */
import { median } from "./harness/figures.ts";
import type { LoadResult } from "./harness/load.ts";
import { size } from "./harness/options.ts";
import type { Ready } from "./harness/parley-server.ts";
import { HEAP_FLAGS, load, type Server, startBareServer, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { each, type Spent, spending } from "./harness/used.ts";

const SENDERS = 64;
const ROUNDS = size(3, 1);
const fixture = { people: SENDERS, keys: SENDERS, subscribers: 10 };

interface Round {
  heap: string;
  bare: LoadResult;
  parley: LoadResult;
  spent: Spent;
}

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const rounds: Round[] = [];
  for (const flags of [HEAP_FLAGS, []]) {
    const bare = await startBareServer(flags);
    const parley = await startParley(fixture, flags);
    for (let count = 0; count < ROUNDS; count++) {
      rounds.push({ heap: flags.join(" ") || "node's default", ...(await measure(bare, parley)) });
    }
    await Promise.all([bare.peer.stop(), parley.peer.stop()]);
  }

  printTable(
    `durable sends, ${SENDERS} senders, 10 subscribers; 1,500 distinct messages, 30 % Markdown; fdatasync ${fsync}/s`,
    rounds.map(({ heap, bare, parley, spent }) => ({
      heap,
      "bare/s": bare.perSecond,
      "sends/s": parley.perSecond,
      ratio: parley.perSecond / bare.perSecond,
      "p50 ms": parley.p50Ms,
      "p99 ms": parley.p99Ms,
      "a batch": spent.batch,
      // By answers: a message that is sent alone is in no batch.
      "node µs a send": each(spent.nodeSeconds, parley.answers),
      "PostgreSQL µs a send": each(spent.databaseSeconds, parley.answers),
    })),
  );
  const [ratio, defaultHeap] = [rounds.slice(0, ROUNDS), rounds.slice(ROUNDS)].map((some) =>
    median(some.map(({ bare, parley }) => parley.perSecond / bare.perSecond)),
  ) as [number, number];
  console.log();
  printGoal(`median ratio with ${HEAP_FLAGS.join(" ")}`, ratio, { least: 0.6 });
  printGoal("median ratio with node's default heap", defaultHeap, { least: 0.6 });
  save("send", { fsync, senders: SENDERS, ratio, defaultHeap, rounds });
});

async function measure(bare: Server<{ port: number }>, parley: Server<Ready>): Promise<Omit<Round, "heap">> {
  const requests = sends(parley.channelId, parley.people);
  const task = { connections: SENDERS, warmupSeconds: size(2, 0.2), seconds: size(6, 1), requests };
  const bareResult = await load({ ...task, port: bare.port });
  const { result, spent } = await spending(parley, () => load({ ...task, port: parley.port }));
  return { bare: bareResult, parley: result, spent };
}
