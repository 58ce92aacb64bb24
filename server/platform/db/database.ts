import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DatabaseUnavailable, isDatabaseUnavailable, OutcomeUnknown } from "./database-unavailable.ts";
import { Lane, type LaneLimits, LanePool, type LaneUse } from "./lane.ts";
import { type LaneName, LOCK_MS, lanes, limitsOfAll, type ReadLane } from "./lanes.ts";
import type { SessionLock } from "./locks.ts";
import { Pipeline } from "./pipeline.ts";
import type { NoteSlowStatement } from "./slow-statements.ts";
import type { Sql } from "./sql.ts";
import { TimelineGuard } from "./timeline.ts";
import { allSettledOrThrow, asQuery, endWith, type Held, queryableOn, runToCommit } from "./transaction.ts";
import { WatchedClient } from "./watched-client.ts";

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

/** A transaction whose work may end it itself. */
export interface LastTransaction extends Transaction {
  /**
   * Runs the last statement and commits, in one round trip. If the statement fails, everything is rolled back
   * and its error is thrown.
   */
  commitWith<Row>(statement: Sql): Promise<Row[]>;
}

/** One connection that holds a lock, for transactions one after another. */
export interface LockedSession {
  /** See `Database.transaction`. Fails with DatabaseUnavailable at once when the connection is broken. */
  transaction<T>(work: (tx: LastTransaction) => Promise<T>): Promise<T>;
  /** Whether the connection broke, and the lock with it. */
  readonly isBroken: boolean;
}

export type Connection = pg.ClientConfig;

const PIPELINES = 3;
/** For a single short statement, the wait for the log's lock included. */
const PIPELINE_STATEMENT_MS = 12_000;
/** How long an unsent statement waits for the database. A recovery from a crash takes less time. */
const UNAVAILABLE_TIMEOUT_MS = 5_000;
const RETRY_MS = 50;

export interface DatabaseOptions {
  /** The connections of each lane. */
  laneSize?: number;
  /** In place of the lanes' own limits: for tests, and for commands that run while no server does. */
  limits?: Partial<LaneLimits>;
  pipelines?: number;
  unavailableTimeoutMs?: number;
  /**
   * All lanes take their connections from one pool, and have the same time limits. A test seldom does two
   * kinds of work at once, and a connection costs more than all of its statements.
   */
  sharesConnections?: boolean;
  /** How the program calls itself to PostgreSQL; by default `parley`. */
  program?: string;
  /** Told of statements that PostgreSQL took long for. */
  onSlow?: NoteSlowStatement;
}

export interface TransactionOptions {
  isolation?: "repeatable read";
  lane?: LaneName;
  lead?: readonly Sql[];
}

/**
 * One node's connections to PostgreSQL: lanes for transactions, and a few pipelined connections for single
 * short statements. A slow statement holds up all statements behind it on its pipeline. So a statement that
 * may take long, or may wait for a row of a long transaction, must not go through `query`. Run it in a
 * transaction.
 *
 * Everything has a time limit. Work that exceeds one is rolled back, and fails with an error for which
 * `isServerBusy` is true.
 *
 * PostgreSQL may stop and come back at any time. A statement that has not been sent waits for a while, and
 * then fails with DatabaseUnavailable. A statement that was under way fails at once with OutcomeUnknown and
 * is never sent again, since it may have been executed.
 */
export class Database implements Queryable {
  readonly connection: Connection;
  /** The name of this node in its notices on the bus, so that it ignores its own. */
  readonly node = crypto.randomUUID();
  readonly #lanes: Readonly<Record<LaneName, Lane>>;
  readonly #pools = new Set<LanePool>();
  readonly #pipelines: readonly Pipeline[];
  readonly #unavailableTimeoutMs: number;
  /** Statements that wait for a pipeline to open. */
  readonly #waiting = new Set<() => void>();
  readonly #program: string;
  readonly #guard = new TimelineGuard();
  #next = 0;
  #isClosing = false;

  private constructor(connection: Connection, options: DatabaseOptions) {
    this.connection = { keepAlive: true, ...connection };
    this.#program = options.program ?? "parley";
    this.#unavailableTimeoutMs = options.unavailableTimeoutMs ?? UNAVAILABLE_TIMEOUT_MS;
    const pool = (limits: LaneLimits, name: string) => {
      const client = { ...this.connectionFor(name), onSlow: options.onSlow };
      const added = new LanePool(client, { ...limits, ...options.limits }, this.#guard);
      this.#pools.add(added);
      return added;
    };
    const shared = options.sharesConnections ? pool(limitsOfAll(), "lanes") : undefined;
    const lane = (name: LaneName) => {
      const own = lanes[name];
      const limits = { ...own, connections: options.laneSize ?? own.connections, ...options.limits };
      return new Lane(limits, shared ?? pool(limits, name));
    };
    this.#lanes = {
      changes: lane("changes"),
      locked: lane("locked"),
      places: lane("places"),
      reads: lane("reads"),
      registrations: lane("registrations"),
      searches: lane("searches"),
      background: lane("background"),
    };
    this.#pipelines = Array.from(
      { length: options.pipelines ?? PIPELINES },
      () =>
        new Pipeline(
          {
            ...this.connectionFor("statements"),
            onSlow: options.onSlow,
            statementTimeoutMs: options.limits?.statementTimeoutMs ?? PIPELINE_STATEMENT_MS,
            lockTimeoutMs: options.limits?.lockTimeoutMs ?? LOCK_MS,
          },
          this.#guard,
          () => this.#wakeWaiting(),
        ),
    );
  }

  /** How busy the lanes are. */
  get laneUse(): Record<LaneName, LaneUse> {
    const { changes, locked, places, reads, registrations, searches, background } = this.#lanes;
    return {
      changes: changes.use,
      locked: locked.use,
      places: places.use,
      reads: reads.use,
      registrations: registrations.use,
      searches: searches.use,
      background: background.use,
    };
  }

  /** Resolves when the database is not the one of the start, and perhaps lacks its last commits. */
  get replaced(): Promise<void> {
    return this.#guard.replaced;
  }

  /** To be called when the log shows that the database was restored. Returns the error to throw. */
  markReplaced(): DatabaseUnavailable {
    return this.#guard.markReplaced();
  }

  /** Rejects if the database can't be reached now. */
  static async open(connection: Connection, options: DatabaseOptions = {}): Promise<Database> {
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
    client.refreshPlans();
    try {
      return (await client.query(asQuery(statement))).rows as Row[];
    } catch (error) {
      throw isDatabaseUnavailable(error) ? new OutcomeUnknown(error) : error;
    }
  }

  /** Throws DatabaseUnavailable at once, without waiting for the database. */
  async ping(): Promise<void> {
    const client = this.#openPipeline();
    if (!client) throw new DatabaseUnavailable();
    await client.query("select 1");
  }

  /**
   * Runs `work` in a transaction on a connection of its own. Any error rolls back and is rethrown. When the
   * connection breaks, that error is DatabaseUnavailable before the commit, and OutcomeUnknown during it.
   * `lead`: statements that are sent together with BEGIN, in one round trip. `work` gets their rows.
   */
  async transaction<T>(
    work: (tx: LastTransaction, leadRows: readonly (readonly unknown[])[]) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const lane = this.#lanes[options.lane ?? "changes"];
    const { isolation, lead = [] } = options;
    const begin = isolation ? `begin isolation level ${isolation}` : "begin";
    const { held, rows } = await this.#open(lane, [begin, ...lead.map(asQuery)], "rollback");
    try {
      return await runToCommit(held, (tx) => work(tx, rows.slice(1)));
    } finally {
      lane.release(held.client, held.broken);
    }
  }

  /**
   * Takes a lock, and runs `work` with the connection that holds it. `lead`: a statement that is sent with
   * the lock's, and runs once it is granted. `work` gets its rows. Throws an error for which `isServerBusy`
   * is true when the lock is not granted in time.
   */
  async lockedSession<T>(
    lock: SessionLock,
    lead: Sql,
    work: (session: LockedSession, leadRows: readonly unknown[]) => Promise<T>,
  ): Promise<T> {
    const lane = this.#lanes.locked;
    const { held, rows } = await this.#open(lane, [asQuery(lock.take), asQuery(lead)], asQuery(lock.release));
    const session: LockedSession = {
      transaction: (change) => {
        if (held.broken) throw new DatabaseUnavailable(held.broken);
        // Without a wait: a BEGIN that fails makes the first statement fail.
        held.client.query("begin").catch(() => {});
        return runToCommit(held, change);
      },
      get isBroken() {
        return held.broken !== undefined;
      },
    };
    try {
      return await work(session, rows[1] as readonly unknown[]);
    } finally {
      if (!held.broken) await endWith(held, asQuery(lock.release));
      lane.release(held.client, held.broken);
    }
  }

  /**
   * Runs `read` in a read-only transaction, so that all its statements see one state of the database. Since
   * it changes nothing, `read` is called again for a while when the connection breaks. For the same reason
   * BEGIN and COMMIT are sent without waiting for their result.
   */
  snapshot<T>(read: (tx: Queryable) => Promise<T>, laneName: ReadLane = "reads"): Promise<T> {
    const lane = this.#lanes[laneName];
    return this.#retryWhileUnavailable(async () => {
      const client = await lane.take();
      const begun = client.query("begin isolation level repeatable read, read only");
      begun.catch(() => {});
      try {
        const result = await read(queryableOn(client));
        await begun;
        // The next who takes the connection sends its statements behind this one.
        client.query("commit").catch(() => {});
        lane.release(client);
        return result;
      } catch (error) {
        // Other statements of `read` may still run.
        client.query("commit").then(
          () => lane.release(client),
          (broken: Error) => lane.release(client, broken),
        );
        throw error;
      }
    });
  }

  /**
   * The connection, with a name that says to a database administrator which process has it, and for what. A
   * name in DATABASE_URL goes before it.
   */
  connectionFor(use: string): Connection {
    return {
      ...this.connection,
      fallback_application_name: `${this.#program}/${process.pid}/${use}`,
    };
  }

  /** Opens a connection outside the pool, for LISTEN and locks. The caller ends it. */
  async connect(use = "session"): Promise<pg.Client> {
    const client = new WatchedClient({
      ...this.connectionFor(use),
      statementTimeoutMs: PIPELINE_STATEMENT_MS,
    });
    await client.connect();
    this.#guard.check(await client.openSession());
    return client;
  }

  /** Statements that wait for the database fail. Statements that are under way are finished. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeWaiting();
    const open = [...this.#pipelines, ...this.#pools];
    await Promise.all(open.map((each) => each.close()));
  }

  /** The next open pipeline in turn; undefined if all are broken. */
  #openPipeline(): WatchedClient | undefined {
    for (let count = 0; count < this.#pipelines.length; count++) {
      this.#next = (this.#next + 1) % this.#pipelines.length;
      const client = this.#pipelines[this.#next]?.client;
      if (client) return client;
    }
    return undefined;
  }

  async #nextOpenPipeline(): Promise<WatchedClient> {
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

  /**
   * A connection on which the statements were executed. They change nothing but the session, so what fails
   * because the database is unavailable is retried. `undo`: what a connection needs after another failure,
   * such as a lock that was not granted in time.
   */
  #open(
    lane: Lane,
    statements: readonly (string | pg.QueryConfig)[],
    undo: string | pg.QueryConfig,
  ): Promise<Opened> {
    return this.#retryWhileUnavailable(async () => {
      const held: Held = { client: await lane.take(), broken: undefined };
      try {
        const results = await allSettledOrThrow(statements.map((statement) => held.client.query(statement)));
        return { held, rows: results.map(({ rows }) => rows) };
      } catch (error) {
        await endWith(held, undo);
        lane.release(held.client, held.broken);
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

interface Opened {
  held: Held;
  /** The rows of each statement. */
  rows: readonly (readonly unknown[])[];
}
