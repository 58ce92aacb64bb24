import type { Logger } from "pino";
import { type Static, type TObject, Type } from "typebox";
import type { Database } from "../db/database.ts";

/**
 * What the runner itself needs. Jobs get a larger context: the composition root passes one to all of them.
 */
export interface JobContext {
  database: Database;
  log: Logger;
}

/** Work that is done once, later, even if the node that enqueued it dies. */
export interface Job<S extends TObject = TObject, C = never> {
  /** Stored in the database with the payload, so a released name must keep its meaning. */
  name: string;
  payload: S;
  /** The maximum number of tries. The backoff after each failure grows. */
  attempts: number;
  /** For periodic work: minute, hour, day of the month, month, day of the week, in UTC. */
  schedule: string | undefined;
  /** Whether periodic runs that were missed are made up for, one by one. */
  isMadeUpFor: boolean;
  /**
   * Does the work. If it throws, it is retried. After a crash it may run again although it had finished, so
   * its changed rows must show what is already done. A run takes minutes at most: longer work does a part and
   * enqueues the rest.
   */
  run(context: C, payload: Static<S>, run: Run): Promise<void>;
}

export interface Run {
  /** Aborted when the node stops or loses its lease. Long work calls `throwIfAborted()` between its parts. */
  signal: AbortSignal;
  /** When the job was due. For a periodic job, the minute that its schedule names. */
  dueAt: Date;
}

/** With the backoff, about two days. */
export const DEFAULT_ATTEMPTS = 20;
const nothing = Type.Object({});

export function defineJob<S extends TObject, C>(
  job: Omit<Job<S, C>, "attempts" | "schedule" | "isMadeUpFor"> & { attempts?: number },
): Job<S, C> {
  return { attempts: DEFAULT_ATTEMPTS, schedule: undefined, isMadeUpFor: false, ...job };
}

/**
 * Work that runs on a schedule, each time on one node. Runs of the last days that were missed because no node
 * was up are made up for one by one. So each run is responsible for its own period only. A job whose run does
 * all that waits says `isMadeUpFor: false`.
 */
export function definePeriodicJob<C>(
  job: Pick<Job, "name"> & {
    schedule: string;
    attempts?: number;
    isMadeUpFor?: boolean;
    run(context: C, run: Run): Promise<void>;
  },
): Job<TObject, C> {
  return {
    attempts: DEFAULT_ATTEMPTS,
    isMadeUpFor: true,
    ...job,
    payload: nothing,
    run: (context, _payload, run) => job.run(context, run),
  };
}
