import pg from "pg";
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

/**
 * One node's connections to PostgreSQL: a pool for transactions, and a few pipelined connections for single short
 * statements. A slow statement holds up all behind it on its pipeline, so nothing that may take long goes through
 * `query`; it takes a transaction instead.
 */
export class Database implements Queryable {
  readonly connection: Connection;
  /** Names this node in its wake-ups, so that it does not answer its own. */
  readonly node = crypto.randomUUID();
  readonly #pool: pg.Pool;
  readonly #pipelines: pg.Client[] = [];
  #next = 0;
  #closing = false;

  private constructor(connection: Connection, poolSize: number) {
    this.connection = connection;
    // Pipelined too, so that a transaction's independent statements may be sent without waiting for each other.
    this.#pool = new pg.Pool({
      ...connection,
      pipeline: true,
      max: poolSize,
      idleTimeoutMillis: 30_000,
    } as pg.PoolConfig);
    // A connection that breaks while idle is replaced on the next use; the statement that needs it reports.
    this.#pool.on("error", () => {});
  }

  static async open(
    connection: Connection,
    options: { poolSize?: number; pipelines?: number } = {},
  ): Promise<Database> {
    const database = new Database(connection, options.poolSize ?? POOL_SIZE);
    await Promise.all(
      Array.from({ length: options.pipelines ?? PIPELINES }, (_, index) => database.#openPipeline(index)),
    );
    return database;
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    this.#next = (this.#next + 1) % this.#pipelines.length;
    const client = this.#pipelines[this.#next];
    if (!client) return this.#onPool(statement);
    return (await client.query(asQuery(statement))).rows as Row[];
  }

  /** Runs `work` between BEGIN and COMMIT on a connection of its own; any error rolls back and is thrown on. */
  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    options: { isolation?: "repeatable read" } = {},
  ): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(options.isolation ? "begin isolation level repeatable read" : "begin");
      const result = await work({
        client,
        query: async <Row>(statement: Sql) => (await client.query(asQuery(statement))).rows as Row[],
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

  /** A connection of one's own, outside the pool, for LISTEN. The caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.connection);
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#pipelines.map((client) => client.end()), this.#pool.end()]);
  }

  async #onPool<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#pool.query(asQuery(statement))).rows as Row[];
  }

  async #openPipeline(index: number): Promise<void> {
    const client = new pg.Client({ ...this.connection, pipeline: true } as pg.ClientConfig);
    // When a pipeline breaks, its statements fail; the pool carries the load until it is open again.
    client.on("error", () => this.#reopenPipeline(index));
    await client.connect();
    this.#pipelines[index] = client;
  }

  #reopenPipeline(index: number): void {
    if (this.#closing) return;
    delete this.#pipelines[index];
    setTimeout(() => {
      if (!this.#closing) this.#openPipeline(index).catch(() => this.#reopenPipeline(index));
    }, 100).unref();
  }
}

function asQuery(statement: Sql): pg.QueryConfig {
  return statement.name === undefined
    ? { text: statement.text, values: statement.values }
    : { name: statement.name, text: statement.text, values: statement.values };
}
