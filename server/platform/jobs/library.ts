import { EventEmitter } from "node:events";
import type { RunnerOptions, WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";

/**
 * In batches, if only of one. Otherwise the library does not wait for what it writes at the end of a job: at a stop it
 * would get lost, and when the database is gone it would be a rejection that nobody handles.
 */
const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

export interface Library {
  options: RunnerOptions & { events: WorkerEvents };
  /** Closes its connections. */
  close(): Promise<void>;
}

/**
 * How graphile-worker is used everywhere: with connections of its own, silent but for what concerns the database, and with
 * no hand in the process's signals. What it says of jobs would show their payloads; `runner.ts` logs those itself.
 */
export async function libraryOptions(
  database: Database,
  { connections, log }: { connections: number; log?: Logger },
): Promise<Library> {
  const { Logger: LibraryLogger } = await import("graphile-worker");
  const pool = new pg.Pool({ ...database.connection, max: connections });
  // A connection that breaks is replaced on the next use; the statement that needs it reports.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const logger = new LibraryLogger(() => (level, message, meta) => {
    if ((level === "error" || level === "warning") && meta?.job === undefined) log?.warn({ message }, "jobs");
  });
  const events: WorkerEvents = new EventEmitter();
  return {
    options: { pgPool: pool, logger, events, noHandleSignals: true, parsedCronItems: [], preset },
    close: () => pool.end(),
  };
}
