/** Runs what the first screen does not need, when that is painted and the browser has time. */
const TIMEOUT_MS = 2000;

export function whenIdle(run: () => void): void {
  requestAnimationFrame(() => {
    if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: TIMEOUT_MS });
    else setTimeout(run, TIMEOUT_MS / 10);
  });
}
