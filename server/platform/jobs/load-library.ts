import { createRequire } from "node:module";
import path from "node:path";

const load = createRequire(import.meta.url);

/**
 * graphile-worker, which is loaded when it is needed. It looks for settings of its own in the working
 * directory and all above it, runs those that are a program, and fails if it may not look there. None of them
 * are this server's: who may write to a directory in which it is started would decide what it runs. So
 * the library sees the root directory as the working directory while it is loaded, which takes one turn.
 */
export function loadLibrary(): typeof import("graphile-worker") {
  const { cwd } = process;
  process.cwd = () => path.parse(cwd.call(process)).root;
  try {
    return load("graphile-worker");
  } finally {
    process.cwd = cwd;
    console.trace = sayNothing;
  }
}

/**
 * The library prints a stack to standard error when a worker ends with an error, as it does while the
 * database is away. Between the lines of the log it would be one that nothing can read. The library also
 * reports the error to its logger, which is ours.
 */
function sayNothing(): void {}
