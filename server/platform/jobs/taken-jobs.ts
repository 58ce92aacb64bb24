/**
 * Frees jobs that this node has taken without knowing it: the connection broke after PostgreSQL had taken a
 * job for it, and before the answer arrived. The node lives and keeps its lease, so that others leave such a
 * job alone (`rescue.ts`), and the library itself would free it after four hours.
 */
import type { Job as LibraryJob } from "graphile-worker";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

type Taken = Pick<LibraryJob, "id" | "attempts">;

/** The same job can be taken again, as a later attempt. */
const keyOf = ({ id, attempts }: Taken) => `${id}:${attempts}`;

export class TakenJobs {
  #pool: string | undefined;
  /** By the name of the library's pool that took them. */
  readonly #begun = new Map<string, Set<string>>();
  #suspects: ReadonlySet<string> = new Set();

  /** From now on jobs are taken by this pool alone. */
  usePool(pool: string): void {
    this.#pool = pool;
    for (const other of this.#begun.keys()) if (other !== pool) this.#begun.delete(other);
  }

  /** To be called when a job that was taken begins. */
  begin(job: Pick<LibraryJob, "id" | "attempts" | "locked_by">): void {
    if (job.locked_by === null) return;
    const begun = this.#begun.get(job.locked_by) ?? new Set();
    this.#begun.set(job.locked_by, begun.add(keyOf(job)));
  }

  /**
   * Frees the jobs that were taken at the last look too, and have not begun. At one look the answer may still
   * be on its way.
   */
  async look(database: Database): Promise<void> {
    const pool = this.#pool;
    if (pool === undefined) return;
    // A job that begins meanwhile may be missing in what is found.
    const before = [...(this.#begun.get(pool) ?? [])];
    const taken = await database.query<Taken>(sql`
      select id::text, attempts from graphile_worker.jobs where locked_by = ${pool}`);
    const held = new Set(taken.map(keyOf));
    const begun = this.#begun.get(pool) ?? new Set();
    for (const key of before) if (!held.has(key)) begun.delete(key);
    const unknown = taken.filter((job) => !begun.has(keyOf(job)));
    const lost = unknown.filter((job) => this.#suspects.has(keyOf(job)));
    this.#suspects = new Set(unknown.map(keyOf));
    for (const job of lost) await free(database, pool, job);
  }
}

/** The attempt does not count: nothing ran. */
async function free(database: Database, pool: string, { id, attempts }: Taken): Promise<void> {
  await database.query(sql`
    update graphile_worker._private_jobs
    set locked_by = null, locked_at = null, attempts = attempts - 1
    where id = ${id}::bigint and locked_by = ${pool} and attempts = ${attempts}`);
}
