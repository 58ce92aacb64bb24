/** When something is delivered that people ask for in advance: whole seconds, as on the wire. */
import { ApiError, errors } from "../../api/errors.ts";
import { MAX_YEARS_AHEAD } from "../../api/limits.ts";

const YEAR_SECONDS = 366 * 24 * 3600;

/** Throws for a time that is not in the future, or too far in it. */
export function parseDeliveryTime(seconds: number): Date {
  const ahead = seconds - Date.now() / 1000;
  if (ahead <= 0) throw new ApiError(errors.deliveryTimeNotInFuture);
  if (ahead > MAX_YEARS_AHEAD * YEAR_SECONDS) {
    throw new ApiError(errors.deliveryTimeTooFar, { years: MAX_YEARS_AHEAD });
  }
  return new Date(seconds * 1000);
}

export function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

const PAUSE_MS = 3600 * 1000;

/** When to look again at what is due in an organization that is deactivated. */
export function afterPause(): Date {
  return new Date(Date.now() + PAUSE_MS);
}
