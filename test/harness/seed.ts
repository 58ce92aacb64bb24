/**
 * The seed of a test with random input. Each run has another one, so that runs together try more than one run
 * can. PARLEY_SEED repeats a run.
 */
import { randomInt } from "node:crypto";

export const seed = Number(process.env.PARLEY_SEED ?? randomInt(2 ** 31));

/** What to type to repeat a run of the tests in this file. */
export function howToRepeat(file: string, used = seed): string {
  return `PARLEY_SEED=${used} npx vitest run ${file}`;
}
