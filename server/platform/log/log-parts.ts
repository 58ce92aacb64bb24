import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Bus } from "../bus/bus.ts";
import type { Queryable } from "../db/database.ts";
import type { BeforeCommitHook, LastHook } from "./before-commit-hook.ts";
import type { LogEntry, StatePatch } from "./log-entry.ts";
import type { OrganizationState } from "./organization-state.ts";
import type { Projection } from "./projection.ts";
import { RecentShare } from "./recent-entries.ts";

/** Where entries are stored: the `events` table, and each other table whose rows are entries (messages). */
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

/** Receives each entry after it was applied, and passes it to the event queues of this node. */
export interface EntryDispatcher {
  /** `state` is the memory as it is at the entry's position. */
  dispatch(state: OrganizationState, entry: LogEntry): void;
  /** Called when all entries that were applied together have been dispatched. */
  flush(): void;
}

/**
 * Notes what a subject needs of each entry, right after it was applied. So the log is read once for all
 * subjects. It must be quick and may keep no texts: sends wait for it.
 */
export type EntryListener = (state: OrganizationState, entry: LogEntry) => void;

/** What the modules contribute to the log. The composition root collects it. */
export interface LogParts {
  projections: readonly Projection<unknown>[];
  advisoryProjections: ReadonlySet<string>;
  sources: readonly LogSource[];
  beforeCommitHooks: readonly BeforeCommitHook[];
  lastHooks?: readonly LastHook[];
  listeners?: readonly EntryListener[];
  dispatcher: EntryDispatcher;
  bus: Bus;
  /** What the organizations of this node keep of their logs, together. */
  recentShare: RecentShare;
  /** Logs a failure that no request waits for. */
  report(error: unknown): void;
}

export function logParts(
  parts: Omit<LogParts, "projections" | "advisoryProjections" | "recentShare"> & {
    // Only the module of a projection knows the type of its value.
    // biome-ignore lint/suspicious/noExplicitAny: the list mixes projections of every type.
    projections: readonly Projection<any>[];
  },
): LogParts {
  const advisory = parts.projections.filter(({ isAdvisory }) => isAdvisory);
  return {
    ...parts,
    advisoryProjections: new Set(advisory.map(({ name }) => name)),
    recentShare: new RecentShare(),
  };
}

/** Whether a patch changes memory that commits depend on. Otherwise it changes advisory projections only. */
export function isBinding(
  { advisoryProjections }: Pick<LogParts, "advisoryProjections">,
  statePatch: StatePatch,
): boolean {
  return Object.keys(statePatch).some((name) => !advisoryProjections.has(name));
}
