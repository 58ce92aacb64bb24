/**
 * Keeps the memory of an idle server small. While a program is loaded most new objects survive, so V8 lets
 * the space for new objects grow, and it collects garbage late. An idle server would keep some 40 MB that it
 * never needs again.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** By then the first requests have been answered. */
const COLLECT_AFTER_MS = 1000;

/** To be called before large modules are loaded. */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * To be called when the server is ready: from now on the heap may grow under load. A second later the process
 * pauses once, for some 40 ms.
 */
export function letHeapGrow(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
  setTimeout(collectGarbage, COLLECT_AFTER_MS).unref();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
