import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import type { StatePatch } from "./log-entry.ts";
import type { OrganizationState } from "./organization-state.ts";

/**
 * A part of an organization that each node keeps in memory, so that sends and permission checks cost no query. It is
 * loaded once and then kept true by the log: a change of the rows appends an event, and the event's state patch says under
 * the projection's name what changed.
 */
export interface Projection<T, P = unknown> {
  /** Stands in the database: it is a key of `events.state`. */
  name: string;
  /**
   * Nothing that must be true at the commit is decided by it alone: its patches don't count as changes of the memory, so
   * they make no other change check anything again.
   */
  isAdvisory?: boolean;
  load(tx: Queryable, organizationId: OrganizationId): Promise<T>;
  apply(value: T, patch: P, state: OrganizationState, position: Position): void;
}

/** What an event changes of a projection, for `append`. */
export function patchOf<T, P>(projection: Projection<T, P>, patch: P): StatePatch {
  return { [projection.name]: patch };
}
