import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** The highest number of the migrations that the database has. */
export async function findSchema(db: Queryable): Promise<number> {
  const [row] = await db.query<{ schema: number }>(
    sql`select coalesce(max(id), 0) as schema from migrations`,
  );
  return row?.schema ?? 0;
}

/**
 * In milliseconds: the database's time now, and when the newest message of any organization was sent; null:
 * there is none.
 */
export async function findTimes(db: Queryable): Promise<{ now: number; newestMessage: number | null }> {
  const [row] = await db.query<{ now: number; newestMessage: number | null }>(sql`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      (extract(epoch from max(newest.sent_at)) * 1000)::float8 as "newestMessage"
    from organizations o
    cross join lateral (
      select m.sent_at from messages m where m.organization_id = o.id order by m.id desc limit 1
    ) as newest`);
  return row ?? { now: Date.now(), newestMessage: null };
}
