import type { Position } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import type { LogEntry } from "./log-entry.ts";
import type { LogSource } from "./log-parts.ts";
import type { OrganizationState } from "./organization-state.ts";
import { readEvents } from "./store.ts";

/** The entries that are rows of `events`. Entries in other tables have other sources. */
export const eventSource: LogSource = { read: readEvents };

/** One page of the log from all its sources, in order. The page is complete up to `upTo`. */
export async function readLog(
  tx: Queryable,
  state: OrganizationState,
  after: Position,
  head: Position,
  limit: number,
): Promise<{ entries: LogEntry[]; upTo: Position }> {
  const lists = await Promise.all(
    state.parts.sources.map((source) => source.read(tx, state.organizationId, after, head, limit)),
  );
  // A source that filled its page may have more entries, so the whole page ends where the first such source
  // ends.
  const upTo = Math.min(
    head,
    ...lists.filter((list) => list.length === limit).map((list) => (list[limit - 1] as LogEntry).position),
  ) as Position;
  const entries = lists.flat().filter((each) => each.position <= upTo);
  entries.sort((a, b) => a.position - b.position);
  return { entries, upTo };
}

export interface EntriesRead {
  entries: readonly LogEntry[];
  /** The entries are complete up to here. */
  upTo: Position;
  /** Whether they were read from the database. */
  isStored: boolean;
}

/**
 * What follows a position, for whatever follows the log with a cursor of its own: at most `limit` entries, up
 * to `end`, from memory if it goes back so far.
 */
export async function readEntries(
  tx: Queryable,
  state: OrganizationState,
  { after, end, limit }: { after: Position; end: Position; limit: number },
): Promise<EntriesRead> {
  const entries = state.recent.between(after, end, limit);
  if (!entries) return { ...(await readLog(tx, state, after, end, limit)), isStored: true };
  const upTo = entries.length < limit ? end : (entries.at(-1) as LogEntry).position;
  return { entries, upTo, isStored: false };
}
