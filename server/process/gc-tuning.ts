/**
 * What a start leaves in the heap. While a program is loaded V8 lets the space for new things grow, since most of them stay,
 * and it clears up late: a server at rest would keep some 40 MB that it never needs again.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Once the first callers have been served. */
const CLEAR_AFTER_MS = 1000;

/** To be called before anything large is loaded. */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** To be called when all is ready: whatever is busy from now on gets the room that it needs. Later stops for some 40 ms, once. */
export function letHeapGrow(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
  setTimeout(clearUp, CLEAR_AFTER_MS).unref();
}

function clearUp(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
