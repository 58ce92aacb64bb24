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
  /** Several statements in one text, without values: for migrations and the like. */
  client: pg.ClientBase;
}

export type Connection = pg.ClientConfig;

const PIPELINES = 3;
const POOL_SIZE = 12;
const CONNECT_MS = 5_000;
/** How long a statement that has not been sent waits for a database that is away: longer than its recovery from a crash. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 50;

interface Options {
  poolSize?: number;
  pipelines?: number;
  patienceMs?: number;
}

/**
 * One node's connections to PostgreSQL: a pool for transactions, and a few pipelined connections for single short
 * statements. A slow statement holds up all behind it on its pipeline, so nothing that may take long goes through
 * `query`; it takes a transaction instead.
 *
 * PostgreSQL may go away and come back at any time. What has not been sent waits for it a while, and then fails with
 * DatabaseAway. What was under way fails at once and is never sent again: whether it was carried out nobody can know.
 */
export class Database implements Queryable {
  readonly connection: Connection;
  /** Names this node in its wake-ups, so that it does not answer its own. */
  readonly node = crypto.randomUUID();
  readonly #pool: pg.Pool;
  readonly #pipelines: readonly Pipeline[];
  readonly #patienceMs: number;
  /** Statements that wait for a pipeline to open. */
  readonly #waiting = new Set<() => void>();
  #next = 0;
  #isClosing = false;

  private constructor(connection: Connection, options: Options) {
    this.connection = { connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...connection };
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    // Pipelined too, so that a transaction's independent statements may be sent without waiting for each other.
    this.#pool = new pg.Pool({
      ...connection,
      keepAlive: true,
      pipeline: true,
      Client: TimedClient,
      max: options.poolSize ?? POOL_SIZE,
      idleTimeoutMillis: 30_000,
    } as unknown as pg.PoolConfig);
    // A connection that breaks is replaced at the next use; the statement that is under way on it reports. The pool
    // itself listens only while the connection is idle.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#pipelines = Array.from(
      { length: options.pipelines ?? PIPELINES },
      () => new Pipeline(this.connection, () => this.#wakeWaiting()),
    );
  }

  /** Rejects when the database can't be reached now. */
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

  /** Throws at once when the database is away. */
  async ping(): Promise<void> {
    const client = this.#openPipeline();
    if (!client) throw new DatabaseUnavailable();
    await client.query("select 1");
  }

  /** Runs `work` between BEGIN and COMMIT on a connection of its own; any error rolls back and is thrown on. */
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
   * Reads of one moment, on a connection of their own. They change nothing: when the connection breaks, `read` is called
   * again for a while, and neither their beginning nor their end is waited for.
   */
  snapshot<T>(read: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#patiently(async () => {
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

  /** A connection of one's own, outside the pool, for LISTEN. The caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.connection);
    await client.connect();
    return client;
  }

  /** What waits fails; what is under way is finished. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeWaiting();
    await Promise.all([...this.#pipelines.map((pipeline) => pipeline.close()), this.#pool.end()]);
  }

  /** Each in turn, but for those that are broken. */
  #openPipeline(): pg.Client | undefined {
    for (let count = 0; count < this.#pipelines.length; count++) {
      this.#next = (this.#next + 1) % this.#pipelines.length;
      const client = this.#pipelines[this.#next]?.client;
      if (client) return client;
    }
    return undefined;
  }

  async #nextOpenPipeline(): Promise<pg.Client> {
    const deadline = Date.now() + this.#patienceMs;
    while (!this.#isClosing && Date.now() < deadline) {
      await this.#somethingOpens(deadline - Date.now());
      const client = this.#openPipeline();
      if (client) return client;
    }
    throw new DatabaseUnavailable();
  }

  #somethingOpens(withinMs: number): Promise<void> {
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

  /** A connection on which a transaction has begun. One that turns out to be broken then has done nothing yet. */
  #begin(begin: string): Promise<pg.PoolClient> {
    return this.#patiently(async () => {
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

  /** Tries again what leaves nothing behind when the database is away. */
  async #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + this.#patienceMs;
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

/** The pool's own time-out would also count the wait for a free connection. */
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
