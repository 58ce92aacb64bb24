// PARLEY_FAULTS_SECONDS: how long it lasts, 600 by default. PARLEY_FAULTS_SEED: the seed of a run to have
// again; what the processes do in the meantime is not seeded, so a failure may take several runs to come
// again.

import { randomInt } from "node:crypto";
import { afterAll, beforeAll, test, vi } from "vitest";
import { build, temporaryDirectory, usedDirectory } from "../e2e/parley.ts";
import { type Cluster, startOne, startSeveral } from "./cluster.ts";
import { faults, faultsOfSeveral, faultsOfWorkers } from "./faults.ts";
import { runPlan } from "./run.ts";

const seconds = Number(process.env.PARLEY_FAULTS_SECONDS ?? 600);
const seed = Number(process.env.PARLEY_FAULTS_SEED ?? randomInt(2 ** 31));

const installations: { name: string; start: () => Promise<Cluster>; kinds: readonly string[] }[] = [
  {
    name: "one server with its own database",
    start: async () => startOne(await usedDirectory("demo")),
    kinds: Object.keys(faults),
  },
  {
    name: "one server of two workers",
    start: async () => startOne(await usedDirectory("demo"), 2),
    kinds: Object.keys({ ...faults, ...faultsOfWorkers }),
  },
  {
    name: "two servers on one database",
    start: async () => startSeveral(2, await usedDirectory("demo"), temporaryDirectory),
    kinds: Object.keys({ ...faults, ...faultsOfSeveral }),
  },
  {
    name: "three servers on one database",
    start: async () => startSeveral(3, await usedDirectory("demo"), temporaryDirectory),
    kinds: Object.keys({ ...faults, ...faultsOfSeveral }),
  },
];

const eachMs = (seconds * 1000) / installations.length;
vi.setConfig({ testTimeout: eachMs + 180_000 });

beforeAll(build);
beforeAll(() => console.log(`PARLEY_FAULTS_SEED=${seed} PARLEY_FAULTS_SECONDS=${seconds}`));
afterAll(() => console.log(`PARLEY_FAULTS_SEED=${seed} repeats these faults`));

test.each(installations)(
  "$name: nothing acknowledged is lost, and every queue goes on",
  async (installation) => {
    const { name, start, kinds } = installation;
    const cluster = await start();
    try {
      const deck: string[] = [];
      const until = Date.now() + eachMs;
      const report = await runPlan({
        cluster,
        seed,
        before: [50, 1500],
        next: (_round, random) => {
          if (Date.now() >= until) return undefined;
          // As from a deck of cards: each kind comes as often as the others.
          if (deck.length === 0) deck.push(...random.shuffle(kinds));
          return deck.pop();
        },
        onRound: (soFar) => {
          if (soFar.rounds % 10 === 0) console.log(`${name}, ${soFar}`);
        },
      });
      console.log(`${name}, all checked: ${report}`);
    } finally {
      await cluster.stop();
    }
  },
);
