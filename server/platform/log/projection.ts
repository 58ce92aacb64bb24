import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import type { StatePatch } from "./log-entry.ts";
import type { OrganizationState } from "./organization-state.ts";

/**
 * A part of an organization that each node keeps in memory, so that sends and permission checks need no
 * query. It is loaded once and then follows the log. A change of the rows appends an event whose state patch
 * holds, under the projection's name, what changed.
 */
export interface Projection<T, P = unknown> {
  /** Stored in the database, as a key of `events.state`. */
  name: string;
  /**
   * No check that must hold at the commit depends on this projection alone. So its patches do not count as
   * changes of the memory, and they make no other change run again.
   */
  isAdvisory?: boolean;
  load(tx: Queryable, organizationId: OrganizationId): Promise<T>;
  apply(value: T, patch: P, state: OrganizationState, position: Position): void;
}

/** The state patch for one projection, as `append` takes it. */
export function patchOf<T, P>(projection: Projection<T, P>, patch: P): StatePatch {
  return { [projection.name]: patch };
}
