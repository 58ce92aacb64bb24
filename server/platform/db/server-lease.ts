/**
 * Which releases work on a database that several servers share. Each server holds the lease of the schema
 * that it knows, an advisory lock in a session of its own, so PostgreSQL ends the lease with the server. A
 * migration that servers of an older schema can't work beside waits for their leases (`migrate.ts`). A lease
 * is taken while no migration is applied, and only where the server may work on the schema that is there.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Connection } from "./database.ts";
import { lockClasses, schemaObjects } from "./locks.ts";
import { checkSchema, HistoryError, ownSchema } from "./migrate.ts";

export interface ServerLeaseOptions {
  /** The name of the session, as administrators of the database see it. */
  name: string;
  /** Gets what went wrong with the session. It is opened again. */
  report?: (error: unknown) => void;
  /** The schema that the server knows; by default this program's. */
  schema?: number;
  /** How often the session is used, so that a broken one is noticed, in milliseconds. */
  lookMs?: number;
}

const LOOK_MS = 10_000;
const ANSWER_MS = 5_000;
const RETRY_MS = 1_000;

export class ServerLease {
  readonly #connection: Connection;
  readonly #options: ServerLeaseOptions;
  readonly #ending = new AbortController();
  /**
   * Resolves with a sentence if the session was broken, and a newer release has changed the database
   * meanwhile to what this one can't work on.
   */
  readonly refused: Promise<string>;
  #refuse: (sentence: string) => void = () => {};
  #client: pg.Client;

  private constructor(connection: Connection, options: ServerLeaseOptions, client: pg.Client) {
    this.#connection = connection;
    this.#options = options;
    this.#client = client;
    this.refused = new Promise((resolve) => {
      this.#refuse = resolve;
    });
    void this.#keep();
  }

  /** Throws a HistoryError if the database is of a newer release that this one can't work beside. */
  static async take(connection: Connection, options: ServerLeaseOptions): Promise<ServerLease> {
    return new ServerLease(connection, options, await openWithLease(connection, options));
  }

  async release(): Promise<void> {
    this.#ending.abort();
    await this.#client.end().catch(() => {});
  }

  async #keep(): Promise<void> {
    const { signal } = this.#ending;
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    while (!signal.aborted) {
      await pause(this.#options.lookMs ?? LOOK_MS);
      if (signal.aborted || (await answers(this.#client))) continue;
      await this.#client.end().catch(() => {});
      while (!signal.aborted) {
        try {
          this.#client = await openWithLease(this.#connection, this.#options);
          // Somebody may have released it meanwhile.
          if (signal.aborted) await this.#client.end().catch(() => {});
          break;
        } catch (error) {
          if (error instanceof HistoryError) return this.#refuse(error.message);
          this.#options.report?.(error);
          await pause(RETRY_MS);
        }
      }
    }
  }
}

async function answers(client: pg.Client): Promise<boolean> {
  try {
    await client.query({ text: "select", query_timeout: ANSWER_MS } as pg.QueryConfig);
    return true;
  } catch {
    return false;
  }
}

/** LOCK: the lease of the schema, shared, until the session ends. */
async function openWithLease(
  connection: Connection,
  { name, schema = ownSchema() }: ServerLeaseOptions,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    fallback_application_name: name,
    connectionTimeoutMillis: ANSWER_MS,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(
      "set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3",
    );
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1, $2)", [
      lockClasses.schema,
      schemaObjects.migrations,
    ]);
    await checkSchema(client);
    await client.query("select pg_advisory_lock_shared($1, $2)", [lockClasses.servers, schema]);
    await client.query("commit");
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
