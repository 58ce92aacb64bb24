import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Bus } from "../bus/bus.ts";
import type { Queryable } from "../db/database.ts";
import type { Queue } from "../queues/queue.ts";
import type { BeforeCommitHook } from "./before-commit-hook.ts";
import type { Delivery, LogEntry, StatePatch } from "./log-entry.ts";
import type { OrganizationState } from "./organization-state.ts";

/**
 * A part of an organization that each node keeps in memory, so that sends and permission checks cost no query. It is
 * loaded once and then kept true by the log: whoever changes the rows appends an event whose state patch, under the
 * projection's name, says what changed.
 */
export interface Projection<T> {
  name: string;
  /**
   * Nothing that must be true at the commit is decided by it alone: its patches don't count as changes of the memory, so
   * they make nobody check anything again.
   */
  isAdvisory?: boolean;
  load(tx: Queryable, organizationId: OrganizationId): Promise<T>;
  apply(value: T, patch: unknown, state: OrganizationState, position: Position): void;
  queueAdded?(value: T, queue: Queue, state: OrganizationState): void;
  queueRemoved?(value: T, queue: Queue, state: OrganizationState): void;
}

/** Turns one kind of audience into queues. */
export interface AudienceRule {
  to: string;
  /** The queues of this node that hear the entry, decided by the memory as it is at the entry's position. */
  queues(state: OrganizationState, entry: LogEntry): Iterable<Queue>;
  /**
   * The same decision for one queue and entries of the past, for a queue that is read again from the log. What the
   * viewer may no longer see is left out, whatever was true then.
   */
  reader(state: OrganizationState, tx: Queryable, queue: Queue): Promise<(entry: LogEntry) => boolean>;
}

/** Writes the JSON of one type of event for a queue. Types without a writer go out as they were appended. */
export interface EventSerializer {
  type: string;
  /** undefined: this queue does not get the event. */
  serialize(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined;
}

/** What may still be told of entries of some types, where a queue is read again from the log. */
export interface ReplayFilter {
  types: readonly string[];
  /** Of entries that the queue hears: the entry, one that tells less in its place, or undefined for nothing. */
  filterFor(
    state: OrganizationState,
    tx: Queryable,
    queue: Queue,
    entries: readonly LogEntry[],
  ): Promise<(entry: LogEntry) => LogEntry | undefined>;
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
  ): Promise<LogEntry[]>;
}

/** What the rooms bring to the log; collected by the composition root. */
export interface LogParts {
  projections: readonly Projection<unknown>[];
  advisoryProjections: ReadonlySet<string>;
  audiences: ReadonlyMap<string, AudienceRule>;
  serializers: ReadonlyMap<string, EventSerializer>;
  replayFilters: readonly ReplayFilter[];
  sources: readonly LogSource[];
  beforeCommitHooks: readonly BeforeCommitHook[];
  bus: Bus;
  /** Hears of failures that no request waits for. */
  report(error: unknown): void;
}

export function logParts(lists: {
  // A projection's value is known to its own module only.
  // biome-ignore lint/suspicious/noExplicitAny: the list mixes projections of every type.
  projections: readonly Projection<any>[];
  audiences: readonly AudienceRule[];
  serializers: readonly EventSerializer[];
  replayFilters: readonly ReplayFilter[];
  sources: readonly LogSource[];
  beforeCommitHooks: readonly BeforeCommitHook[];
  bus: Bus;
  report(error: unknown): void;
}): LogParts {
  return {
    projections: lists.projections,
    advisoryProjections: new Set(
      lists.projections.filter(({ isAdvisory }) => isAdvisory).map(({ name }) => name),
    ),
    audiences: new Map(lists.audiences.map((rule) => [rule.to, rule])),
    serializers: new Map(lists.serializers.map((serializer) => [serializer.type, serializer])),
    replayFilters: lists.replayFilters,
    sources: lists.sources,
    beforeCommitHooks: lists.beforeCommitHooks,
    bus: lists.bus,
    report: lists.report,
  };
}

/** Whether a patch changes memory that commits are decided by; else it concerns advisory projections alone. */
export function isBinding(
  { advisoryProjections: advisorySlices }: Pick<LogParts, "advisoryProjections">,
  value: StatePatch,
): boolean {
  return Object.keys(value).some((name) => !advisorySlices.has(name));
}
