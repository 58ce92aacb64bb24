import type { Logger } from "pino";
import { type Static, type TObject, Type } from "typebox";
import type { Database } from "../db/database.ts";

/** What the runner needs itself. Jobs are given more: what the composition root hands to all of them. */
export interface JobContext {
  database: Database;
  log: Logger;
}

/** Work that is done once, later, whatever happens to the node that was asked for it. */
export interface Job<S extends TObject = TObject, C = never> {
  /** Stands in the database beside the payload: a name that was once released keeps its meaning. */
  name: string;
  payload: S;
  /** How often it is tried at most, with a growing pause after each failure. */
  attempts: number;
  /** For periodic work: minute, hour, day of the month, month, day of the week, in UTC. */
  schedule: string | undefined;
  /**
   * Does the work; throwing means that it is tried again. It may be run again after a crash although it had come to its
   * end, so what it did must show in the rows that it changed. A run takes minutes at most: longer work does a part and
   * enqueues the rest.
   */
  run(context: C, payload: Static<S>, run: Run): Promise<void>;
}

export interface Run {
  /** The node is about to stop. Work of many parts ends with the part that it is at, by `throwIfAborted()`. */
  signal: AbortSignal;
  /** When it was to be done; of periodic work the minute that its schedule names. */
  dueAt: Date;
}

/** With the pauses, about two days. */
const DEFAULT_ATTEMPTS = 20;
const nothing = Type.Object({});

export function defineJob<S extends TObject, C>(
  job: Omit<Job<S, C>, "attempts" | "schedule"> & { attempts?: number },
): Job<S, C> {
  return { attempts: DEFAULT_ATTEMPTS, schedule: undefined, ...job };
}

/**
 * Work that is done at times, each time on one node. Of times that were missed because no node was there, those of the last
 * days are made up for one by one, so each run answers for its own period alone.
 */
export function definePeriodicJob<C>(
  job: Pick<Job, "name"> & {
    schedule: string;
    attempts?: number;
    run(context: C, run: Run): Promise<void>;
  },
): Job<TObject, C> {
  return {
    attempts: DEFAULT_ATTEMPTS,
    ...job,
    payload: nothing,
    run: (context, _payload, run) => job.run(context, run),
  };
}
