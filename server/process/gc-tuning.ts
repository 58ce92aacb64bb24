/**
 * Keeps the memory of an idle server small. While a program is loaded most new objects survive, so V8 lets
 * the space for new objects grow, and it collects garbage late. An idle server would keep some 40 MB that it
 * never needs again.
 */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";

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
export function letHeapGrow(log: Logger): void {
  setFlagsFromString("--semi-space-growth-factor=2");
  setTimeout(() => void collectGarbage(log), COLLECT_AFTER_MS).unref();
}

/**
 * The inspector's protocol is the public way to collect garbage, and gives back the most memory. A Node that
 * was built without it keeps the garbage a while longer.
 */
async function collectGarbage(log: Logger): Promise<void> {
  try {
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    await session.post("HeapProfiler.collectGarbage");
    // Node stands still if a session ends inside an answer.
    await setImmediate();
    session.disconnect();
  } catch (error) {
    log.warn({ err: error }, "this Node can't collect garbage when asked; the server keeps more memory");
  }
}
