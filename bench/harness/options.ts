/**
 * A short run on small fixtures, to see that a scenario works. Its figures mean nothing, so they are never
 * saved.
 */
export const isQuick = process.argv.includes("--quick");

const write = process.argv.find((each) => /^--write(=|$)/.test(each));

/** Why verbs are worth more than before, from `--write=WHY`; empty for `--write`. Only for `cost`. */
export const reasonToWrite = write?.slice("--write=".length);

/** Refuses verbs that take far more processor time than is saved. Only for `cost`. */
export const isComparing = process.argv.includes("--compare");

/** Another checkout that is compared with this one in turns, from `--beside=DIR`. Only for `cost`. */
export const besideCheckout = wordOf("--beside");

/** The only verb to compare in turns, from `--verb=NAME`. Only for `cost` with `--beside`. */
export const comparedVerb = wordOf("--verb");

/** Keeps the figures in bench/results/. */
export const isSaving = (process.argv.includes("--save") || write !== undefined) && !isQuick;

/**
 * Reports which functions of the server took the time. Profiling itself costs time, so the figures get
 * worse.
 */
export const isProfiling = process.argv.includes("--profile");

/** The first value for a real run, the second for a quick one. */
export function size<T>(real: T, quick: T): T {
  return isQuick ? quick : real;
}

function wordOf(option: string): string | undefined {
  return process.argv.find((each) => each.startsWith(`${option}=`))?.slice(option.length + 1);
}
