const TIMEOUT_MS = 2000;

/** Runs what the first screen does not need, when that is painted and the browser has time. */
export function whenIdle(run: () => void): void {
  requestAnimationFrame(() => void idle().then(run));
}

/** Until the browser has time. Unlike frames, this comes in a page that is not shown too. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: TIMEOUT_MS });
    else setTimeout(resolve, TIMEOUT_MS / 10);
  });
}
