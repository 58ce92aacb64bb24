import type { Queryable } from "../db/database.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { StoredEvent } from "../log/stored-event.ts";
import type { Queue } from "./queue.ts";

/** Turns one kind of audience into queues. */
export interface AudienceRule {
  to: string;
  /** The queues of this node that receive the entry. `state` is the memory as of the entry's position. */
  queues(state: OrganizationState, entry: LogEntry): Iterable<Queue>;
  /**
   * Decides for one queue which past entries it receives, when it is replayed from the log. Entries that the
   * viewer may no longer see are left out, even if the viewer could see them then.
   */
  reader(state: OrganizationState, tx: Queryable, queue: Queue): Promise<(entry: LogEntry) => boolean>;
}

/** Writes the JSON of one type of event for a queue. Without a serializer, events are sent as appended. */
export interface EventSerializer {
  type: string;
  /** Returns undefined if this queue does not get the event. */
  serialize(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined;
}

/**
 * A serializer for an event whose entries hold other fields than clients receive. `append` checked the fields
 * against the stored event's type, so they have that type here.
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

/** Decides what a replay may still send of entries of some types. */
export interface ReplayFilter {
  types: readonly string[];
  /**
   * Called with entries whose audience includes the queue. The returned function gives the entry itself, a
   * reduced one in its place, or undefined to send nothing.
   */
  filterFor(
    state: OrganizationState,
    tx: Queryable,
    queue: Queue,
    entries: readonly LogEntry[],
  ): Promise<(entry: LogEntry) => LogEntry | undefined>;
}

/**
 * Takes out of events what their reader may not know now. Where nobody's knowledge is limited, it costs one
 * question for each entry.
 */
export interface ReaderFilter {
  isNeeded(state: OrganizationState): boolean;
  /**
   * The event for the queue, or undefined to send nothing. `isReplay`: it is read from the log again, so the
   * memory is newer than the entry.
   */
  filter(
    state: OrganizationState,
    entry: LogEntry,
    delivery: Delivery,
    queue: Queue,
    isReplay: boolean,
  ): Delivery | undefined;
}

/** What the modules contribute to the delivery of events. The composition root collects it. */
export interface QueueParts {
  audiences: readonly AudienceRule[];
  serializers: readonly EventSerializer[];
  replayFilters: readonly ReplayFilter[];
  readerFilter?: ReaderFilter;
}
