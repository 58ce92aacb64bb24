import { afterEach, beforeEach, vi } from "vitest";

export const TOTP_STEP_MS = 30_000;

/**
 * The clock stands in the middle of a step of one-time codes in each test. Otherwise a code of the
 * step before may be two steps old by the time it is checked.
 */
export function holdTotpStep(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime((Math.floor(Date.now() / TOTP_STEP_MS) + 0.5) * TOTP_STEP_MS);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
