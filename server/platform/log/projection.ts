import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Bus } from "../bus/bus.ts";
import type { Queryable } from "../db/database.ts";
import type { Queue } from "../queues/queue.ts";
import type { Consequence } from "./before-commit-hook.ts";
import type { Delivery, Entry, StatePatch } from "./log-entry.ts";
import type { Live } from "./organization-state.ts";

/**
 * A part of an organization that each node keeps in memory, so that sends and permission checks cost no query. It is
 * loaded once and then kept true by the log: whoever changes the rows appends an event whose state patch, under the
 * slice's name, says what changed.
 */
export interface Slice<T> {
  name: string;
  /**
   * Nothing that must be true at the commit is decided by it alone: its patches don't count as changes of the memory, so
   * they make nobody check anything again.
   */
  isAdvisory?: boolean;
  load(tx: Queryable, organizationId: OrganizationId): Promise<T>;
  apply(state: T, patch: unknown, live: Live, position: Position): void;
  queueAdded?(state: T, queue: Queue, live: Live): void;
  queueRemoved?(state: T, queue: Queue, live: Live): void;
}

/** Turns one kind of audience into queues. */
export interface AudienceRule {
  to: string;
  /** The queues of this node that hear the entry, decided by the memory as it is at the entry's position. */
  queues(live: Live, entry: Entry): Iterable<Queue>;
  /**
   * The same decision for one queue and entries of the past, for a queue that is read again from the log. What the
   * viewer may no longer see is left out, whatever was true then.
   */
  reader(live: Live, tx: Queryable, queue: Queue): Promise<(entry: Entry) => boolean>;
}

/** Writes the JSON of one type of event for a queue. Types without a writer go out as they were appended. */
export interface Writer {
  type: string;
  /** undefined: this queue does not get the event. */
  write(live: Live, entry: Entry, queue: Queue): Delivery | undefined;
}

/** What may still be told of entries of some types, where a queue is read again from the log. */
export interface Recall {
  types: readonly string[];
  /** Of entries that the queue hears: the entry, one that tells less in its place, or undefined for nothing. */
  of(
    live: Live,
    tx: Queryable,
    queue: Queue,
    entries: readonly Entry[],
  ): Promise<(entry: Entry) => Entry | undefined>;
}

/** Where entries are stored: the `events` table, and whatever table holds entries of its own (messages). */
export interface LogSource {
  /** Entries with after < position <= upTo in order, at most `limit`. */
  read(
    tx: Queryable,
    organizationId: OrganizationId,
    after: Position,
    upTo: Position,
    limit: number,
  ): Promise<Entry[]>;
}

/** What the rooms bring to the log; collected by the composition root. */
export interface LogParts {
  slices: readonly Slice<unknown>[];
  advisorySlices: ReadonlySet<string>;
  audiences: ReadonlyMap<string, AudienceRule>;
  writers: ReadonlyMap<string, Writer>;
  recalls: readonly Recall[];
  sources: readonly LogSource[];
  consequences: readonly Consequence[];
  bus: Bus;
  /** Hears of failures that no request waits for. */
  report(error: unknown): void;
}

export function logParts(lists: {
  // A slice's state is known to its own room only.
  // biome-ignore lint/suspicious/noExplicitAny: the list mixes slices of every state type.
  slices: readonly Slice<any>[];
  audiences: readonly AudienceRule[];
  writers: readonly Writer[];
  recalls: readonly Recall[];
  sources: readonly LogSource[];
  consequences: readonly Consequence[];
  bus: Bus;
  report(error: unknown): void;
}): LogParts {
  return {
    slices: lists.slices,
    advisorySlices: new Set(lists.slices.filter(({ isAdvisory }) => isAdvisory).map(({ name }) => name)),
    audiences: new Map(lists.audiences.map((rule) => [rule.to, rule])),
    writers: new Map(lists.writers.map((writer) => [writer.type, writer])),
    recalls: lists.recalls,
    sources: lists.sources,
    consequences: lists.consequences,
    bus: lists.bus,
    report: lists.report,
  };
}

/** Whether a patch changes memory that commits are decided by; else it concerns advisory slices alone. */
export function isBinding({ advisorySlices }: Pick<LogParts, "advisorySlices">, state: StatePatch): boolean {
  return Object.keys(state).some((name) => !advisorySlices.has(name));
}
