import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunnerOptions, WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import { loadLibrary } from "./load-library.ts";

/**
 * A delay of 0 makes the library write the ends of jobs in batches, even of one, and wait for that. Otherwise
 * it does not wait: a stop would lose the write, and a lost database would cause an unhandled rejection.
 */
const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** How long a connection may be in use after the library has ended. */
const RETURN_MS = 3000;

export interface Library {
  options: RunnerOptions & { events: WorkerEvents };
  /**
   * Closes the library's connections. One that the library does not give back in time, as when the database
   * does not answer on it, is broken off. A second call waits for the first.
   */
  close(): Promise<void>;
}

/**
 * The common options for graphile-worker. It has its own connections and does not handle the process's
 * signals. Only warnings and errors about the database are kept from its log. Its lines about jobs would show
 * their payloads, so `runner.ts` logs those itself.
 */
export async function libraryOptions(
  database: Database,
  { connections, log }: { connections: number; log?: Logger },
): Promise<Library> {
  const { Logger: LibraryLogger } = loadLibrary();
  const pool = new pg.Pool({ ...database.connectionFor("jobs"), max: connections });
  // A broken connection is replaced on its next use. The statement that was using it reports the error.
  pool.on("error", () => {});
  const open = new Set<pg.PoolClient>();
  pool.on("connect", (client) => {
    open.add(client);
    client.on("error", () => {});
    client.once("end", () => open.delete(client));
  });
  const logger = new LibraryLogger(() => (level, message, meta) => {
    if ((level === "error" || level === "warning") && meta?.job === undefined) log?.warn({ message }, "jobs");
  });
  const events: WorkerEvents = new EventEmitter();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= endWithin(pool, open);
    return closed;
  };
  return {
    options: { pgPool: pool, logger, events, noHandleSignals: true, parsedCronItems: [], preset },
    close,
  };
}

/** A session that stayed open would keep a lease, and the jobs of the ended library with it. */
async function endWithin(pool: pg.Pool, open: ReadonlySet<pg.PoolClient>): Promise<void> {
  const ended = pool.end();
  const isLate = await Promise.race([ended, sleep(RETURN_MS, true, { ref: false })]);
  if (isLate !== true) return;
  ended.catch(() => {});
  for (const client of open) (client as unknown as Wired).connection.stream.destroy();
}

/** What a client of pg has without declaring it. */
interface Wired {
  connection: { stream: Duplex };
}
