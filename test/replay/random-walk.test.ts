/**
 * Whatever people do, clients that follow know what a fresh snapshot says. Each run has a new seed, which the
 * tests' titles name. PARLEY_SEED repeats a run, and PARLEY_WALK_MINUTES makes each test walk that long.
 */
import { test } from "vitest";
import { howToRepeat, seed } from "../harness/seed.ts";
import { runWalks, WALK_TIMEOUT_MS } from "./walk/run.ts";
import { allVerbs, verbsWithLimits } from "./walk/verbs/index.ts";
import { readingVerbs } from "./walk/verbs/reading.ts";

const file = "test/replay/random-walk.test.ts";
const usual = { file, verbs: allVerbs, nodes: 1, atOnce: 1, coldPercent: 0, steps: 120 } as const;

console.log(`random walks: ${howToRepeat(file)}`);

test(
  `after random changes every client knows what a fresh snapshot says (seed ${seed})`,
  () => runWalks({ ...usual }),
  WALK_TIMEOUT_MS,
);

test(
  `after random changes at once every client knows what a fresh snapshot says (seed ${seed})`,
  () => runWalks({ ...usual, atOnce: 30 }),
  WALK_TIMEOUT_MS,
);

test(
  `queues that read the log again give what live ones give (seed ${seed})`,
  () => runWalks({ ...usual, atOnce: 5, coldPercent: 70 }),
  WALK_TIMEOUT_MS,
);

test(
  `two servers together give what one gives (seed ${seed})`,
  () => runWalks({ ...usual, nodes: 2, atOnce: 12, coldPercent: 20 }),
  WALK_TIMEOUT_MS,
);

test(
  `guests whose knowledge of people is limited now and then know what a fresh snapshot says (seed ${seed})`,
  () => runWalks({ ...usual, verbs: verbsWithLimits, atOnce: 3, coldPercent: 10 }),
  WALK_TIMEOUT_MS,
);

test(
  `people who mark messages at once on two servers have read what their clients say (seed ${seed})`,
  () => runWalks({ ...usual, verbs: readingVerbs, nodes: 2, atOnce: 40, coldPercent: 10, steps: 200 }),
  WALK_TIMEOUT_MS,
);
