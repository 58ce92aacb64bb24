/** The one place that tells screen readers what happens without the person's doing. */
import { createSignal } from "solid-js";

const QUIET_MS = 1500;
const [announced, setAnnounced] = createSignal("");
let lastAt = 0;

export { announced };

/** Seldom enough to be followed; what comes too soon is left out. */
export function announce(text: string, now = Date.now()): void {
  if (now - lastAt < QUIET_MS) return;
  lastAt = now;
  setAnnounced(text);
}
