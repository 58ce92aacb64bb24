/**
 * Counts the statements that some work sends to PostgreSQL, by the asynchronous context in which they are
 * sent. So what other connections, timers and other tests send meanwhile is not counted.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { WatchedClient } from "../../server/platform/db/watched-client.ts";
import { isControl, nameOfStatement } from "./statement-name.ts";

export interface StatementCount {
  /** A short name for each statement, in the order in which they were sent. */
  statements: string[];
  /** The longest chain of statements of which each was sent after the answer to the one before. */
  roundTrips: number;
  /** The rows that PostgreSQL returned. */
  rowsReceived: number;
}

const current = new AsyncLocalStorage<Count>();

class Count {
  readonly statements: string[] = [];
  readonly #results: Promise<unknown>[] = [];
  readonly #readOnly = new WeakSet<pg.Client>();
  rowsReceived = 0;
  /** The deepest chain whose last statement was answered. */
  #answered = 0;
  roundTrips = 0;
  isOver = false;

  note(client: pg.Client, given: unknown, result: Promise<pg.QueryResult>): void {
    if (this.isOver) return;
    const { text, name } = typeof given === "string" ? { text: given } : (given as pg.QueryConfig);
    const isNamed = name !== undefined || isControl(text);
    this.statements.push(`${nameOfStatement(text)}${isNamed ? "" : " (unnamed)"}`);
    const depth = this.#answered + 1;
    if (this.#isAwaited(client, text)) this.roundTrips = Math.max(this.roundTrips, depth);
    const answered = ({ rows }: { rows?: unknown[] } = {}) => {
      this.#answered = Math.max(this.#answered, depth);
      this.rowsReceived += rows?.length ?? 0;
    };
    this.#results.push(result.then(answered, () => answered()));
  }

  /** `Database.snapshot` lets its COMMIT end while the answer is already on its way. */
  #isAwaited(client: pg.Client, text: string): boolean {
    if (/^begin.*read only/.test(text)) this.#readOnly.add(client);
    return !(text === "commit" && this.#readOnly.has(client));
  }

  /** Waits for all answers, also for those of statements that are sent meanwhile. */
  async end(): Promise<void> {
    for (let count = -1; count !== this.#results.length; ) {
      count = this.#results.length;
      await Promise.all(this.#results);
    }
    this.isOver = true;
  }
}

/** Connections that have sent something, and may have statistics that PostgreSQL was not told yet. */
const used = new Set<WatchedClient>();
const opening = new WeakSet<WatchedClient>();

/** Watches all connections of this process from now on. Returns the function that ends it. */
export function watchStatements(): () => void {
  const { query, openSession } = WatchedClient.prototype;
  WatchedClient.prototype.query = function (this: WatchedClient, ...given: unknown[]) {
    const result = Reflect.apply(query, this, given);
    if (result instanceof Promise) {
      used.add(this);
      // How often a connection must be opened depends on how long the lanes were idle.
      if (!opening.has(this)) current.getStore()?.note(this, given[0], result);
    }
    return result;
  };
  WatchedClient.prototype.openSession = function (this: WatchedClient) {
    opening.add(this);
    try {
      return openSession.call(this);
    } finally {
      opening.delete(this);
    }
  };
  return () => {
    Object.assign(WatchedClient.prototype, { query, openSession });
    used.clear();
  };
}

/** Counts what the work sends, up to the last answer. `watchStatements` must have been called. */
export async function countStatements<T>(
  work: () => Promise<T>,
): Promise<{ value: T; count: StatementCount }> {
  const count = new Count();
  const value = await current.run(count, async () => await work());
  await count.end();
  const { statements, roundTrips, rowsReceived } = count;
  return { value, count: { statements, roundTrips, rowsReceived } };
}

/**
 * Makes PostgreSQL's statistics those of all that was sent so far. Returns the processes of the connections
 * that are open.
 */
export async function flushStatistics(): Promise<number[]> {
  const clients = [...used];
  const processes = await Promise.all(
    clients.map(async (client) => {
      try {
        const { rows } = await current.exit(() =>
          client.query("select pg_stat_force_next_flush(), pg_backend_pid() as pid"),
        );
        return rows[0].pid as number;
      } catch {
        used.delete(client);
        return undefined;
      }
    }),
  );
  return processes.filter((process) => process !== undefined);
}
