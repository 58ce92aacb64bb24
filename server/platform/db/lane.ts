import pg from "pg";
import { ServerBusy } from "./server-busy.ts";
import type { TimelineGuard } from "./timeline.ts";
import { type ClientConfig, WatchedClient } from "./watched-client.ts";

const IDLE_MS = 30_000;

export interface LaneLimits {
  connections: number;
  /** How many may wait for a connection, and how long. */
  waiting: number;
  waitMs: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  /** Other than by default. */
  transactionTimeoutMs?: number;
  /** Other than by default, for tests. */
  plansKeptMs?: number;
  /** After so long without use, all connections but one are closed. Other than by default, for tests. */
  idleMs?: number;
}

/** How busy a lane is. The last two have been counted since the start. */
export interface LaneUse {
  connections: number;
  /** Connections in use. */
  taken: number;
  /** Who waits for a connection. */
  waiting: number;
  waits: number;
  /** By those who have a connection by now, or gave up. */
  waitedMs: number;
}

/** The open connections of a lane, or of several lanes that share them. */
export class LanePool {
  readonly #pool: pg.Pool;
  readonly #opened = new WeakMap<pg.PoolClient, Promise<void>>();

  constructor(
    connection: ClientConfig,
    limits: Omit<LaneLimits, "waiting" | "waitMs">,
    guard: TimelineGuard,
  ) {
    const config: ClientConfig & pg.PoolConfig = {
      ...connection,
      statementTimeoutMs: limits.statementTimeoutMs,
      lockTimeoutMs: limits.lockTimeoutMs,
      ...(limits.transactionTimeoutMs !== undefined && { transactionTimeoutMs: limits.transactionTimeoutMs }),
      ...(limits.plansKeptMs !== undefined && { plansKeptMs: limits.plansKeptMs }),
      keepAlive: true,
      // Pipelined as well, so that independent statements of a transaction need not wait for each other.
      pipeline: true,
      max: limits.connections,
      idleTimeoutMillis: limits.idleMs ?? IDLE_MS,
      // A small team rests often, and its next request need not wait for a connection.
      min: 1,
    };
    this.#pool = new pg.Pool({ ...config, Client: WatchedClient } as unknown as pg.PoolConfig);
    // A broken connection is replaced at the next use, and the statement under way on it fails with the
    // error. The pool itself handles errors only while the connection is idle.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => {
      const opened = (client as unknown as WatchedClient)
        .openSession()
        .then((timeline) => guard.check(timeline));
      opened.catch(() => {});
      this.#opened.set(client, opened);
    });
  }

  async take(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    try {
      await this.#opened.get(client);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    (client as unknown as WatchedClient).refreshPlans();
    return client;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * The connections for one kind of work, with a bounded queue in front of them. Slow work of one kind then
 * never takes the connections of another, and a database that is too slow makes no endless queue.
 */
export class Lane {
  readonly #pool: LanePool;
  readonly #limits: LaneLimits;
  #taken = 0;
  #waits = 0;
  #waitedMs = 0;
  readonly #waiting: (() => void)[] = [];

  /** The pool must have as many connections as all of its lanes together. */
  constructor(limits: LaneLimits, pool: LanePool) {
    this.#limits = limits;
    this.#pool = pool;
  }

  get use(): LaneUse {
    return {
      connections: this.#limits.connections,
      taken: this.#taken,
      waiting: this.#waiting.length,
      waits: this.#waits,
      waitedMs: this.#waitedMs,
    };
  }

  /** A connection, to be released by `release`. Throws ServerBusy if there is none in time. */
  async take(): Promise<pg.PoolClient> {
    if (this.#taken >= this.#limits.connections) await this.#wait();
    else this.#taken++;
    try {
      return await this.#pool.take();
    } catch (error) {
      this.#passOn();
      throw error;
    }
  }

  /** With an error, the connection is closed. */
  release(client: pg.PoolClient, error?: Error): void {
    client.release(error);
    this.#passOn();
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new ServerBusy("too many requests wait for the database");
    }
    this.#waits++;
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        this.#waitedMs += performance.now() - startedAt;
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        this.#waitedMs += performance.now() - startedAt;
        reject(new ServerBusy("the database was busy for too long"));
      }, this.#limits.waitMs);
      this.#waiting.push(go);
    });
  }

  /** Gives the place to the one that has waited longest. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }
}
