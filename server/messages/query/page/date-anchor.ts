import { ApiError, errors } from "../../../../api/errors.ts";
import type { MessageId, OrganizationId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { probeFrom } from "../../model/store.ts";

/** Reads an ISO 8601 date, or date and time. Without an offset, the time is in UTC. */
export function parseAnchorDate(text: string): Date {
  const [, day, time, , , offset] =
    /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? [];
  const date = new Date(time === undefined || offset !== undefined ? text : `${text}Z`);
  if (day === undefined || !isDay(day) || Number.isNaN(date.getTime())) {
    throw new ApiError(errors.invalidAnchorDate);
  }
  return date;
}

/** `Date` turns the 30th of February into the 1st or 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/**
 * The organization's first message sent at that time or later, readable or not; undefined when there is none.
 * Ids grow with the time of sending, so a binary search finds it in some twenty probes of an index.
 */
export async function findFirstSince(
  tx: Queryable,
  organizationId: OrganizationId,
  date: Date,
  head: number,
): Promise<MessageId | undefined> {
  let found: MessageId | undefined;
  // The result lies at `low` or later, and before `high` unless it is found already.
  let [low, high] = [0, head + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const probe = await probeFrom(tx, organizationId, middle, high);
    if (!probe) high = middle;
    else if (probe.sentAt >= date) {
      found = probe.id;
      high = middle;
    } else low = probe.id + 1;
  }
  return found;
}
