/** Durable sends a second to a channel with 10,000 subscribers, none of them online, against one with 10. */
import { median } from "./harness/figures.ts";
import type { LoadResult } from "./harness/load.ts";
import { size } from "./harness/options.ts";
import type { Ready } from "./harness/parley-server.ts";
import { HEAP_FLAGS, load, type Server, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { type Spent, spending } from "./harness/used.ts";

const SENDERS = 64;
const FEW = 10;
const MANY = size(10_000, 1000);
const ROUNDS = size(5, 1);

interface Measured {
  load: LoadResult;
  spent: Spent;
}

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  // Both have as many people: only the subscribers differ.
  const few = await startParley({ people: MANY, keys: SENDERS, subscribers: FEW });
  const many = await startParley({ people: MANY, keys: SENDERS, subscribers: MANY });
  const rounds: { few: Measured; many: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ few: await measure(few), many: await measure(many) });
  }

  printTable(
    `durable sends, ${SENDERS} senders, by subscribers of the channel; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    rounds.map((round, index) => ({
      round: index + 1,
      [`${FEW}: sends/s`]: round.few.load.perSecond,
      [`${MANY}: sends/s`]: round.many.load.perSecond,
      ratio: round.many.load.perSecond / round.few.load.perSecond,
      [`${FEW}: p99 ms`]: round.few.load.p99Ms,
      [`${MANY}: p99 ms`]: round.many.load.p99Ms,
      [`${FEW}: a batch`]: round.few.spent.batch,
      [`${MANY}: a batch`]: round.many.spent.batch,
    })),
  );
  const ratio = median(rounds.map((round) => round.many.load.perSecond / round.few.load.perSecond));
  console.log();
  printGoal("median ratio", ratio, { least: 0.9 });
  save("subscribers", {
    fsync,
    heapFlags: HEAP_FLAGS,
    senders: SENDERS,
    few: FEW,
    many: MANY,
    ratio,
    rounds,
  });
});

async function measure(parley: Server<Ready>): Promise<Measured> {
  const { port } = parley;
  const requests = sends(parley.channelId, parley.people);
  const task = { port, connections: SENDERS, warmupSeconds: size(2, 0.2), seconds: size(6, 1), requests };
  const { result, spent } = await spending(parley, () => load(task));
  return { load: result, spent };
}
