import type { Queryable } from "../db/database.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { StoredEvent } from "../log/stored-event.ts";
import type { Queue } from "./queue.ts";

/** Turns one kind of audience into queues. */
export interface AudienceRule {
  to: string;
  /** The queues of this node that hear the entry, decided by the memory as it is at the entry's position. */
  queues(state: OrganizationState, entry: LogEntry): Iterable<Queue>;
  /**
   * The same decision for one queue and entries of the past, for a queue that is replayed from the log. What the viewer may
   * no longer see is left out, even if they could see it then.
   */
  reader(state: OrganizationState, tx: Queryable, queue: Queue): Promise<(entry: LogEntry) => boolean>;
}

/** Writes the JSON of one type of event for a queue. Types without a serializer go out as they were appended. */
export interface EventSerializer {
  type: string;
  /** undefined: this queue does not get the event. */
  serialize(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined;
}

/**
 * A serializer for entries of an event that is stored with fields of its own. The log holds what `append` was given under
 * that event's type, so the fields are as declared there.
 */
export function serializerOf<F extends object>(
  { type }: StoredEvent<F>,
  serialize: (
    state: OrganizationState,
    entry: LogEntry,
    fields: F & { type: string; op?: string },
    queue: Queue,
  ) => Delivery | undefined,
): EventSerializer {
  return {
    type,
    serialize: (state, entry, queue) =>
      serialize(state, entry, entry.payload as unknown as F & { type: string; op?: string }, queue),
  };
}

/** What a replay may still send of entries of some types. */
export interface ReplayFilter {
  types: readonly string[];
  /** For entries whose audience has the queue: the entry, one with less in its place, or undefined for nothing. */
  filterFor(
    state: OrganizationState,
    tx: Queryable,
    queue: Queue,
    entries: readonly LogEntry[],
  ): Promise<(entry: LogEntry) => LogEntry | undefined>;
}

/** What the modules bring to the delivery of events; collected by the composition root. */
export interface QueueParts {
  audiences: readonly AudienceRule[];
  serializers: readonly EventSerializer[];
  replayFilters: readonly ReplayFilter[];
}
