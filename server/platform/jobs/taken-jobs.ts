/**
 * Frees jobs that this node has taken without knowing it: the connection broke after PostgreSQL had taken a
 * job for it, and before the answer arrived. The node lives and keeps its lease, so that others leave such a
 * job alone (`rescue.ts`), and the library itself would free it after four hours.
 */
import type { Job as LibraryJob } from "graphile-worker";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * At so many looks in a row, five seconds apart, a job has not begun before it is freed. An answer that is
 * later makes the job run twice, and one of a session that stands still for some seconds must not.
 */
export const LOOKS = 12;

type Taken = Pick<LibraryJob, "id" | "attempts">;

/** The same job can be taken again, as a later attempt. */
const keyOf = ({ id, attempts }: Taken) => `${id}:${attempts}`;

export class TakenJobs {
  #pool: string | undefined;
  /** By the name of the library's pool that took them. */
  readonly #begun = new Map<string, Set<string>>();
  /** At how many looks a job had been taken, and had not begun. */
  #suspects: ReadonlyMap<string, number> = new Map();

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

  /** Frees the jobs that were taken at so many looks and have not begun. Until then the answer may come. */
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
    this.#suspects = new Map(unknown.map((job) => [keyOf(job), (this.#suspects.get(keyOf(job)) ?? 0) + 1]));
    const lost = unknown.filter((job) => (this.#suspects.get(keyOf(job)) ?? 0) >= LOOKS);
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
