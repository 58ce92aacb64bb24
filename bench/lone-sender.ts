/**
 * What a send costs when nobody else sends: one connection, whose next message leaves when the last one is
 * answered. Beside it, the same messages from 64 connections, which share commits, and a bare node:http
 * server for both. Each commit of a lone sender has one message, so nothing is shared.
 */
import { median } from "./harness/figures.ts";
import type { LoadResult } from "./harness/load.ts";
import { size } from "./harness/options.ts";
import type { Used } from "./harness/parley-server.ts";
import { HEAP_FLAGS, load, type Server, startBareServer, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printTable, save } from "./harness/report.ts";
import { sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { each, spending } from "./harness/used.ts";

const TOGETHER = 64;
const ROUNDS = size(3, 1);

interface Round {
  bare: LoadResult;
  /** Microseconds of processor time for a bare answer. */
  bareMicroseconds: number;
  parley: LoadResult;
  batch: number;
  nodeMicroseconds: number;
  databaseMicroseconds: number | undefined;
}

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const bare = await startBareServer();
  const parley = await startParley({ people: TOGETHER, keys: TOGETHER, subscribers: 10 });
  const requests = sends(parley.channelId, parley.people);
  const rounds: Record<"alone" | "together", Round[]> = { alone: [], together: [] };
  for (let count = 0; count < ROUNDS; count++) {
    rounds.alone.push(await measure(1));
    rounds.together.push(await measure(TOGETHER));
  }

  const rows = Object.entries(rounds).flatMap(([how, list]) => list.map((round) => row(how, round)));
  printTable(
    `durable sends, alone and ${TOGETHER} at once; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    rows,
  );
  const multiple = (list: readonly Round[]) =>
    median(list.map(({ nodeMicroseconds, bareMicroseconds }) => nodeMicroseconds / bareMicroseconds));
  const [alone, together] = [multiple(rounds.alone), multiple(rounds.together)];
  console.log(
    `\nNode's time of a send, in bare answers: ${alone.toFixed(1)} alone, ${together.toFixed(1)} together`,
  );
  save("lone-sender", { fsync, together: TOGETHER, multiples: { alone, together }, rounds });

  async function measure(connections: number): Promise<Round> {
    const task = { connections, warmupSeconds: size(2, 0.2), seconds: size(5, 1), requests };
    const before = await bareSeconds(bare);
    const bareResult = await load({ ...task, port: bare.port });
    const bareMicroseconds = each((await bareSeconds(bare)) - before, bareResult.answers) as number;
    const { result, spent } = await spending(parley, () => load({ ...task, port: parley.port }));
    return {
      bare: bareResult,
      bareMicroseconds,
      parley: result,
      batch: spent.batch,
      nodeMicroseconds: each(spent.nodeSeconds, result.answers) as number,
      databaseMicroseconds: each(spent.databaseSeconds, result.answers),
    };
  }
});

async function bareSeconds({ peer }: Pick<Server<unknown>, "peer">): Promise<number> {
  const { nodeSeconds } = await peer.ask<Pick<Used, "nodeSeconds">>({ ask: "used" });
  return nodeSeconds;
}

function row(how: string, { bare, bareMicroseconds, parley, batch, ...times }: Round) {
  return {
    sends: how,
    "bare/s": bare.perSecond,
    "bare µs": bareMicroseconds,
    "sends/s": parley.perSecond,
    "p50 ms": parley.p50Ms,
    "p99 ms": parley.p99Ms,
    "a batch": batch,
    "node µs a send": times.nodeMicroseconds,
    "PostgreSQL µs a send": times.databaseMicroseconds,
  };
}
