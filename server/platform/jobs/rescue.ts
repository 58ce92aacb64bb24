/**
 * Frees the jobs of dead nodes, and of earlier runs of this one. A node that holds a lease is alive: see
 * `runner.ts`.
 */
import type pg from "pg";
import type { Database, Queryable } from "../db/database.ts";
import { lockClasses } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import type { TakenJobs } from "./taken-jobs.ts";

const LOOK_EVERY_MS = 5000;
/**
 * TCP keepalives, in seconds. With them PostgreSQL ends the session of a machine that has vanished from the
 * network. The session of a process that ends is gone at once.
 */
const KEEPALIVES = { idle: 15, interval: 5, count: 3 };

/**
 * A node is dead if it has no lease at two checks in a row, this far apart. At one check it may just be
 * changing connections.
 */
export const RESCUE_AFTER_MS = LOOK_EVERY_MS;

/** LOCK: the lease of `name`, until the session ends. */
export async function takeLease(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(
    Object.entries(KEEPALIVES)
      .map(([what, value]) => `set tcp_keepalives_${what} = ${value}`)
      .join("; "),
  );
  await client.query("select pg_advisory_lock($1, hashtext($2))", [lockClasses.lease, name]);
}

export class Rescuer {
  readonly #database: Database;
  readonly #own: TakenJobs | undefined;
  #suspects: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** `own`: what this node has taken, if it does jobs. */
  constructor(database: Database, own?: TakenJobs) {
    this.#database = database;
    this.#own = own;
  }

  /** Checks now, and then every five seconds. */
  start(report: (error: unknown) => void): void {
    const look = () => void this.look().catch(report);
    this.#timer = setInterval(look, LOOK_EVERY_MS).unref();
    look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Frees the jobs of nodes that had no lease at the last check and still have none, and those that this node
   * has taken without knowing it.
   */
  async look(): Promise<void> {
    await this.#own?.look(this.#database);
    const without = await listWithoutLease(this.#database);
    const dead = without.filter((name) => this.#suspects.has(name));
    this.#suspects = new Set(without);
    if (dead.length > 0) await freeJobs(this.#database, dead);
  }
}

async function listWithoutLease(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select distinct job.locked_by as name from graphile_worker.jobs job
    where job.locked_by is not null and not exists (
      select from pg_locks lease
      where lease.locktype = 'advisory' and lease.granted and lease.classid = ${lockClasses.lease}::oid
        and lease.objsubid = 2 and lease.database = (select oid from pg_database where datname = current_database())
        and lease.objid::bigint = (hashtext(job.locked_by)::bigint & 4294967295))`);
  return rows.map(({ name }) => name);
}

async function freeJobs(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query(sql`select from graphile_worker.force_unlock_workers(${names}::text[])`);
}
