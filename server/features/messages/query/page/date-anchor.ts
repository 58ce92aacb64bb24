import { ApiError, errors } from "../../../../../api/errors.ts";
import type { MessageId, OrganizationId } from "../../../../../api/ids.ts";
import type { Queryable } from "../../../../platform/db/database.ts";
import { probeFrom } from "../../model/store.ts";

/** A moment as ISO 8601 writes it: a date, or a date and a time, which is UTC's where it names no offset. */
export function parseAnchorDate(text: string): Date {
  const [, day, time, , , offset] =
    /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? [];
  const date = new Date(time === undefined || offset !== undefined ? text : `${text}Z`);
  if (day === undefined || !isDay(day) || Number.isNaN(date.getTime())) {
    throw new ApiError(errors.invalidAnchorDate);
  }
  return date;
}

/** `Date` takes the 30th of February for the 1st or 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/**
 * The first message sent at that time or later, whoever may read it; undefined when there is none. Ids grow with the time
 * of sending, so it is searched by halving: some twenty probes of an index.
 */
export async function findFirstSince(
  tx: Queryable,
  organizationId: OrganizationId,
  date: Date,
  head: number,
): Promise<MessageId | undefined> {
  let found: MessageId | undefined;
  // What is sought lies at `low` or after it, and before `high` unless it is found already.
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
