/**
 * The messages that the index does not have as they are now: the end of the log, gaps behind it, and messages
 * that changed since they were indexed. A search reads these messages themselves, so that it is right at any
 * moment. Their rows may hold words of a text that was taken back, so the index is not asked about them.
 */
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { findCursor, listOutdated } from "./cursor-store.ts";
import { type Interval, intervalsOfIds, union } from "./intervals.ts";
import { listChangedIds } from "./store.ts";

/** The end of an interval that has no end. */
const NO_END = Number.MAX_SAFE_INTEGER;

export interface IndexState {
  /** Sorted, and apart from each other. */
  missing: readonly Interval[];
  /** Messages here are in the index without pairs of words. */
  withoutPairs: readonly Interval[];
}

/** If `tx` has a snapshot, the result is as of that snapshot. */
export async function findIndexState(tx: Queryable, organizationId: OrganizationId): Promise<IndexState> {
  const cursor = await findCursor(tx, organizationId);
  if (!cursor) return { missing: [{ from: 0, to: NO_END }], withoutPairs: [] };
  const { followedTo, head, gaps, withoutPairs, hasOutdated } = cursor;
  if (followedTo >= head && !hasOutdated) return { missing: gaps, withoutPairs };
  const changed = await listChangedIds(tx, [{ organizationId, after: followedTo, upTo: NO_END as Position }]);
  const outdated = hasOutdated ? await listOutdated(tx, organizationId) : [];
  const ids = [...changed.map(({ id }) => id), ...outdated];
  return {
    missing: union([...gaps, ...intervalsOfIds(ids), { from: followedTo + 1, to: NO_END }]),
    withoutPairs,
  };
}
