/**
 * The servers of one checkout, for a comparison in turns: it measures a block of calls when it is asked. The
 * file is this checkout's, and all that it measures is loaded from the build of the checkout in
 * BENCH_CHECKOUT, which may be older than this file.
 */
import { pathToFileURL } from "node:url";
import type { Block, BlockTime, TurnsReady } from "./turns.ts";

const root = process.env.BENCH_CHECKOUT as string;
// Files of the build are found from the working directory.
process.chdir(root);

const { openWorld, PASSWORD } = await load<typeof import("./bench-world.ts")>("cost/bench-world.js");
const { CostTimes } = await load<typeof import("./times.ts")>("cost/times.js");
const { verbs } = await load<typeof import("./verbs.ts")>("cost/verbs.js");
const { startBareServer, startParley, stopAll } =
  await load<typeof import("../harness/processes.ts")>("harness/processes.js");

// Before the servers start, so that they end too if the parent ends meanwhile.
process.on("disconnect", () => void stopAll().finally(() => process.exit(0)));
const parley = await startParley({ people: 10, keys: 10, subscribers: 10, password: PASSWORD });
const times = new CostTimes(parley, await startBareServer(), await openWorld(parley));

process.on("message", ({ verb, calls }: Block) => {
  measure(verb, calls).then(
    (time) => process.send?.(time),
    (error) => {
      console.error(error);
      void stopAll().finally(() => process.exit(1));
    },
  );
});
process.send?.({ verbs: verbs.map(({ name }) => name) } satisfies TurnsReady);

async function measure(name: string, calls: number): Promise<BlockTime> {
  const asked = verbs.filter((verb) => verb.name === name);
  const { bare, verbs: multiples } = await times.measure(asked, 1, () => calls);
  const { node, database } = multiples[name] as { node: number; database: number };
  return { node: node * bare, database: database * bare };
}

function load<T>(file: string): Promise<T> {
  return import(pathToFileURL(`${root}/dist/bench/${file}`).href);
}
