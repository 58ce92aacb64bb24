import type { OrganizationId, Position } from "../../../api/ids.ts";

/** A queue that a node has taken up, at the position that its client acknowledged; null: it was deleted. */
export interface QueueNotice {
  queueId: string;
  cursor: Position | null;
}

export interface BusListener {
  /** Another node has committed up to `head`. */
  head(organizationId: OrganizationId, head: Position): void;
  queues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void;
  /** Something may have been said while nobody listened. */
  missed(): void;
}

/**
 * How nodes tell each other that there is something to look for. It only wakes: the truth lies in PostgreSQL, every node
 * looks there each second, and so a notice that is lost, comes late or comes twice costs a moment and never an event.
 */
export interface Bus {
  /** To be called after each commit to the log. Waits for nothing, and fails silently. */
  publish(organizationId: OrganizationId, head: Position): void;
  publishQueues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void;
  /** Hears of what other nodes publish, never of what this one does. One listener a bus. */
  subscribe(listener: BusListener): Promise<void>;
  close(): Promise<void>;
}
