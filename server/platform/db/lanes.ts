/** The kinds of work that have connections of their own, and their limits. */
import type { LaneLimits } from "./lane.ts";

/** Longer than a node that was stopped may hold a lock, so that those who wait for it go on. */
export const LOCK_MS = 10_000;
/**
 * For changes, which ask again (see `log/change.ts`). Shorter than a node that was stopped may hold a lock.
 * What waited on that node can't ask again, so it has lost its place when the lock gets free.
 */
const CHANGE_LOCK_MS = 4_000;

/**
 * The kinds of work that have connections of their own. `changes`: short transactions. `locked`: those that
 * run one after another under a lock for which many of `changes` may be waiting. `places`: new topics and
 * conversations. Such a transaction waits for no other lane, so transactions of all lanes may wait for it.
 * `reads`: histories. `registrations`: `/register`, for which everybody may ask at once in the morning.
 * `searches`: searches for words, which may take seconds while the word index is behind. `background`: jobs
 * and the word index.
 */
export type LaneName =
  | "changes"
  | "locked"
  | "places"
  | "reads"
  | "registrations"
  | "searches"
  | "background";

/** Those for `snapshot`. */
export type ReadLane = "reads" | "searches";

/**
 * No statement of a lane may take longer, whatever it does. While one runs, PostgreSQL keeps the old versions
 * of all rows, also of the log's, of which each commit makes one. Each later commit has to step over them. So
 * jobs go through tables by pages, too.
 */
const LANE_STATEMENT_MS = 20_000;

export const lanes: Readonly<Record<LaneName, LaneLimits>> = {
  changes: {
    connections: 6,
    waiting: 1000,
    waitMs: 10_000,
    statementTimeoutMs: LANE_STATEMENT_MS,
    lockTimeoutMs: CHANGE_LOCK_MS,
  },
  locked: {
    connections: 3,
    waiting: 1000,
    waitMs: 10_000,
    statementTimeoutMs: LANE_STATEMENT_MS,
    lockTimeoutMs: CHANGE_LOCK_MS,
  },
  places: {
    connections: 3,
    waiting: 1000,
    waitMs: 10_000,
    statementTimeoutMs: 12_000,
    lockTimeoutMs: LOCK_MS,
  },
  reads: {
    connections: 5,
    waiting: 1000,
    waitMs: 10_000,
    statementTimeoutMs: 15_000,
    lockTimeoutMs: LOCK_MS,
  },
  registrations: {
    connections: 2,
    waiting: 1000,
    waitMs: 10_000,
    statementTimeoutMs: 15_000,
    lockTimeoutMs: LOCK_MS,
  },
  searches: {
    connections: 2,
    waiting: 1000,
    waitMs: 10_000,
    statementTimeoutMs: 15_000,
    lockTimeoutMs: LOCK_MS,
  },
  background: {
    connections: 2,
    waiting: 1000,
    waitMs: 60_000,
    statementTimeoutMs: LANE_STATEMENT_MS,
    lockTimeoutMs: LOCK_MS,
  },
};

/** For a pool that all lanes share: as many connections as they have, with the most patient limits. */
export function limitsOfAll(): LaneLimits {
  const all = Object.values(lanes);
  const most = (limit: "statementTimeoutMs" | "lockTimeoutMs") => Math.max(...all.map((lane) => lane[limit]));
  return {
    ...lanes.changes,
    connections: all.reduce((sum, { connections }) => sum + connections, 0),
    statementTimeoutMs: most("statementTimeoutMs"),
    lockTimeoutMs: most("lockTimeoutMs"),
  };
}
