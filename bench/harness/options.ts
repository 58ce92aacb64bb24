/**
 * A short run on small fixtures, to see that a scenario works. Its figures mean nothing, so they are never
 * saved.
 */
export const isQuick = process.argv.includes("--quick");

/** Keeps the figures in bench/results/. */
export const isSaving = process.argv.includes("--save") && !isQuick;

/**
 * Reports which functions of the server took the time. Profiling itself costs time, so the figures get
 * worse.
 */
export const isProfiling = process.argv.includes("--profile");

/** The first value for a real run, the second for a quick one. */
export function size<T>(real: T, quick: T): T {
  return isQuick ? quick : real;
}
