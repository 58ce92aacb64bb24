/**
 * Somebody who does anything at all, in two tabs, while others are busy and the network comes and goes. The
 * seed is printed, and PARLEY_SEED repeats it. PARLEY_MONKEY_MINUTES says how long. PARLEY_MONKEY_ONLY is a
 * pattern of the kinds of steps to take, to look for something in particular.
 */
import { expect, test } from "vitest";
import { useBrowser } from "../browser.ts";
import { Walk } from "./walk.ts";

const browser = useBrowser();
const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000);
const minutes = Number(process.env.PARLEY_MONKEY_MINUTES ?? 10);
const only = new RegExp(process.env.PARLEY_MONKEY_ONLY ?? "");
/** Between two looks at everything. */
const STEPS = 80;

test(
  `whatever a person does, nothing is lost, sent twice, stuck, frozen or wrong (PARLEY_SEED=${seed})`,
  async () => {
    console.log(`PARLEY_SEED=${seed} PARLEY_MONKEY_MINUTES=${minutes}`);
    const walk = await Walk.begin(browser.world, seed, only);
    try {
      const end = Date.now() + minutes * 60_000;
      while (Date.now() < end && walk.problems.length === 0) await walk.go(STEPS, end);
      const { problems, story } = walk;
      if (problems.length > 0) console.log(`PARLEY_SEED=${seed}\n${story.tell(problems)}`);
      expect(problems, `PARLEY_SEED=${seed}`).toEqual([]);
    } finally {
      // A frozen page would keep a processor busy.
      await walk.end();
    }
  },
  minutes * 60_000 + 240_000,
);
