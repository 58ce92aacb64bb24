import { type Static, type TObject, Type } from "typebox";
import type { Services } from "../../services.ts";

/** Work that is done once, later, whatever happens to the node that was asked for it. */
export interface Job<S extends TObject = TObject> {
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
  run(services: Services, payload: Static<S>, run: Run): Promise<void>;
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

export function defineJob<S extends TObject>(
  job: Omit<Job<S>, "attempts" | "schedule"> & { attempts?: number },
): Job<S> {
  return { attempts: DEFAULT_ATTEMPTS, schedule: undefined, ...job };
}

/**
 * Work that is done at times, each time on one node. Of times that were missed because no node was there, those of the last
 * days are made up for one by one, so each run answers for its own period alone.
 */
export function definePeriodicJob(
  job: Pick<Job, "name"> & {
    schedule: string;
    attempts?: number;
    run(services: Services, run: Run): Promise<void>;
  },
): Job {
  return {
    attempts: DEFAULT_ATTEMPTS,
    ...job,
    payload: nothing,
    run: (services, _payload, run) => job.run(services, run),
  };
}
