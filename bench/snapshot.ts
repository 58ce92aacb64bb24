/**
 * Sends beside a snapshot that something else holds, as a dump of the database does. PostgreSQL can't remove
 * old versions of rows meanwhile, and each commit makes one of the log's row. The baseline is the same server
 * just before the snapshot, and just after it.
 */
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { each, spending } from "./harness/used.ts";

/** How long the snapshot is held before the sends beside it are measured. BENCH_HELD gives other seconds. */
const HELD_SECONDS = Number(process.env.BENCH_HELD ?? size(60, 1));
const SECONDS = size(10, 1);
const CONNECTIONS = 64;
const GOAL = 0.9;

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const parley = await startParley({ people: CONNECTIONS, keys: CONNECTIONS, subscribers: 10 });
  const requests = sends(parley.channelId, parley.people);
  const send = (seconds: number) =>
    spending(parley, () =>
      load({ port: parley.port, connections: CONNECTIONS, warmupSeconds: 0.5, seconds, requests }),
    );

  await send(size(5, 0.5));
  const before = await send(SECONDS);
  await parley.peer.ask({ ask: "hold" });
  const begun = await send(SECONDS);
  await send(HELD_SECONDS);
  const held = await send(SECONDS);
  await parley.peer.ask({ ask: "release" });
  // The old versions go with the next commits.
  await send(size(5, 0.5));
  const after = await send(SECONDS);

  const row = (when: string, { result, spent }: typeof before) => ({
    when,
    "sends/s": result.perSecond,
    "p50 ms": result.p50Ms,
    "p99 ms": result.p99Ms,
    "a batch": spent.batch,
    "commits/s": spent.messages / spent.batch / spent.seconds,
    "PostgreSQL µs a send": each(spent.databaseSeconds, spent.messages),
  });
  const rows = [
    row("before the snapshot", before),
    row("at its beginning", begun),
    row(`after ${HELD_SECONDS} s of it`, held),
    row("after its end", after),
  ];
  printTable(`durable sends of ${CONNECTIONS} people; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`, rows);
  const without = (before.result.perSecond + after.result.perSecond) / 2;
  const ratio = held.result.perSecond / without;
  console.log();
  printGoal("sends beside the snapshot to sends without it", ratio, { least: GOAL });
  save("snapshot", { fsync, heldSeconds: HELD_SECONDS, ratio, rows });
});
