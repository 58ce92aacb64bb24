import type { Database } from "../db/database.ts";
import { describeSeconds } from "./duration.ts";
import { type Finding, ok, type Part, warning } from "./finding.ts";
import { findTimes } from "./store.ts";

/** Clocks that are set by the network differ by less. */
const TOLERATED_SECONDS = 60;

/** Whether this machine's clock fits to the database's, and to what was written before. */
export function clockPart(database: Database): Part {
  return {
    name: "clock",
    everySeconds: 600,
    check: async () => judgeClock(Date.now(), await database.snapshot(findTimes)),
  };
}

/** All times in milliseconds. Shared with `parley doctor`. */
export function judgeClock(
  own: number,
  { now, newestMessage }: { now: number; newestMessage: number | null },
): Finding {
  const behindMessage = ((newestMessage ?? 0) - own) / 1000;
  if (behindMessage > TOLERATED_SECONDS) {
    return warning(
      "clock-behind",
      `This machine's clock is ${describeSeconds(behindMessage)} behind the newest message. Is its time set by the network (NTP)?`,
    );
  }
  const difference = (own - now) / 1000;
  if (Math.abs(difference) > TOLERATED_SECONDS) {
    return warning(
      "clock-differs",
      `This machine's clock is ${describeSeconds(Math.abs(difference))} ${difference > 0 ? "ahead of" : "behind"} the database's. Is the time of both set by the network (NTP)?`,
    );
  }
  return ok("The clock fits to the database's, and to what was written before.");
}
