import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DatabaseUnavailable, isDatabaseUnavailable } from "./database-unavailable.ts";
import { Pipeline } from "./pipeline.ts";
import type { Sql } from "./sql.ts";

// Ids and positions stay below 2^53; pg would return int8 as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// int8[] likewise.
pg.types.setTypeParser(1016 as number, (text: string) =>
  text === "{}" ? [] : text.slice(1, -1).split(",").map(Number),
);

/** Anything that runs statements: the database itself (each on its own), or a transaction. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** For several statements in one text, without values, such as migrations. */
  client: pg.ClientBase;
}

export type Connection = pg.ClientConfig;

const PIPELINES = 3;
const POOL_SIZE = 12;
const CONNECT_MS = 5_000;
/** How long an unsent statement waits for the database. A recovery from a crash takes less time. */
const UNAVAILABLE_TIMEOUT_MS = 5_000;
const RETRY_MS = 50;

interface Options {
  poolSize?: number;
  pipelines?: number;
  unavailableTimeoutMs?: number;
}

/**
 * One node's connections to PostgreSQL: a pool for transactions, and a few pipelined connections for single
 * short statements. A slow statement holds up all statements behind it on its pipeline. So a statement that
 * may take long must not go through `query`; run it in a transaction.
 *
 * PostgreSQL may stop and come back at any time. A statement that has not been sent waits for a while, and
 * then fails with DatabaseUnavailable. A statement that was under way fails at once and is never sent again,
 * since it may have been executed.
 */
export class Database implements Queryable {
  readonly connection: Connection;
  /** The name of this node in its notices on the bus, so that it ignores its own. */
  readonly node = crypto.randomUUID();
  readonly #pool: pg.Pool;
  readonly #pipelines: readonly Pipeline[];
  readonly #unavailableTimeoutMs: number;
  /** Statements that wait for a pipeline to open. */
  readonly #waiting = new Set<() => void>();
  #next = 0;
  #isClosing = false;

  private constructor(connection: Connection, options: Options) {
    this.connection = { connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...connection };
    this.#unavailableTimeoutMs = options.unavailableTimeoutMs ?? UNAVAILABLE_TIMEOUT_MS;
    // Pipelined as well, so that independent statements of a transaction need not wait for each other.
    this.#pool = new pg.Pool({
      ...connection,
      keepAlive: true,
      pipeline: true,
      Client: TimedClient,
      max: options.poolSize ?? POOL_SIZE,
      idleTimeoutMillis: 30_000,
    } as unknown as pg.PoolConfig);
    // A broken connection is replaced at the next use, and the statement under way on it fails with the
    // error. The pool itself handles errors only while the connection is idle.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#pipelines = Array.from(
      { length: options.pipelines ?? PIPELINES },
      () => new Pipeline(this.connection, () => this.#wakeWaiting()),
    );
  }

  /** Rejects if the database can't be reached now. */
  static async open(connection: Connection, options: Options = {}): Promise<Database> {
    const database = new Database(connection, options);
    try {
      await Promise.all(database.#pipelines.map((pipeline) => pipeline.open()));
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    const client = this.#openPipeline() ?? (await this.#nextOpenPipeline());
    return (await client.query(asQuery(statement))).rows as Row[];
  }

  /** Throws DatabaseUnavailable at once, without waiting for the database. */
  async ping(): Promise<void> {
    const client = this.#openPipeline();
    if (!client) throw new DatabaseUnavailable();
    await client.query("select 1");
  }

  /** Runs `work` in a transaction on a connection of its own. Any error rolls back and is rethrown. */
  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    options: { isolation?: "repeatable read" } = {},
  ): Promise<T> {
    const client = await this.#begin(options.isolation ? "begin isolation level repeatable read" : "begin");
    let broken: Error | undefined;
    try {
      const result = await work({
        client,
        ...queryableOn(client),
      });
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Runs `read` in a read-only transaction, so that all its statements see one state of the database. Since
   * it changes nothing, `read` is called again for a while when the connection breaks. For the same reason
   * BEGIN and COMMIT are sent without waiting for their result.
   */
  snapshot<T>(read: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#retryWhileUnavailable(async () => {
      const client = await this.#pool.connect();
      const begun = client.query("begin isolation level repeatable read, read only");
      begun.catch(() => {});
      try {
        const result = await read(queryableOn(client));
        await begun;
        return result;
      } finally {
        client.query("commit").then(
          () => client.release(),
          (error: Error) => client.release(error),
        );
      }
    });
  }

  /** Opens a connection outside the pool, for LISTEN. The caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.connection);
    await client.connect();
    return client;
  }

  /** Statements that wait for the database fail. Statements that are under way are finished. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeWaiting();
    await Promise.all([...this.#pipelines.map((pipeline) => pipeline.close()), this.#pool.end()]);
  }

  /** The next open pipeline in turn; undefined if all are broken. */
  #openPipeline(): pg.Client | undefined {
    for (let count = 0; count < this.#pipelines.length; count++) {
      this.#next = (this.#next + 1) % this.#pipelines.length;
      const client = this.#pipelines[this.#next]?.client;
      if (client) return client;
    }
    return undefined;
  }

  async #nextOpenPipeline(): Promise<pg.Client> {
    const deadline = Date.now() + this.#unavailableTimeoutMs;
    while (!this.#isClosing && Date.now() < deadline) {
      await this.#waitForPipeline(deadline - Date.now());
      const client = this.#openPipeline();
      if (client) return client;
    }
    throw new DatabaseUnavailable();
  }

  #waitForPipeline(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, withinMs);
      this.#waiting.add(wake);
    });
  }

  #wakeWaiting(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** A connection with an open transaction. A failure at BEGIN changes nothing, so it is retried. */
  #begin(begin: string): Promise<pg.PoolClient> {
    return this.#retryWhileUnavailable(async () => {
      const client = await this.#pool.connect();
      try {
        await client.query(begin);
        return client;
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
    });
  }

  /** Retries an attempt that changes nothing when the database is unavailable. */
  async #retryWhileUnavailable<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + this.#unavailableTimeoutMs;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (this.#isClosing || Date.now() + RETRY_MS > deadline) throw new DatabaseUnavailable(error);
        await sleep(RETRY_MS);
      }
    }
  }
}

/** The timeout of the pool itself would include the wait for a free connection. */
class TimedClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

function queryableOn(client: pg.ClientBase): Queryable {
  return {
    query: async <Row>(statement: Sql) => (await client.query(asQuery(statement))).rows as Row[],
  };
}

function asQuery(statement: Sql): pg.QueryConfig {
  return statement.name === undefined
    ? { text: statement.text, values: statement.values }
    : { name: statement.name, text: statement.text, values: statement.values };
}
