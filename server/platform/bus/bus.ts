import type { OrganizationId, Position } from "../../../api/ids.ts";

/** A node serves this queue, whose client acknowledged `cursor`; null means that the queue was deleted. */
export interface QueueNotice {
  queueId: string;
  cursor: Position | null;
}

export interface BusListener {
  /** Another node has committed up to `head`. */
  head(organizationId: OrganizationId, head: Position): void;
  queues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void;
  /** Notices may have been lost while this node was disconnected. */
  missed(): void;
}

/**
 * Wakes other nodes when there is something new in the database. PostgreSQL holds the truth, and every node
 * also polls it each second. So a notice that is lost, late or repeated costs a moment, and never an event.
 */
export interface Bus {
  /** To be called after each commit to the log. Returns at once, and reports no failure to the caller. */
  publish(organizationId: OrganizationId, head: Position): void;
  publishQueues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void;
  /** Passes on the notices of other nodes, never those of this one. A bus has one listener. */
  subscribe(listener: BusListener): Promise<void>;
  /**
   * Whether this node knows that no other node uses the database. Its memory is then never behind the log. A
   * node that is not sure is not alone.
   */
  readonly isAlone: boolean;
  close(): Promise<void>;
}
