/**
 * Notices that the database is not the one that the log was last written to. After a restore, or after a
 * takeover by a replica that lacked the last commits, positions are given out a second time. Clients and
 * nodes that go on from a position of before would miss events. So every log gets a new epoch then, and all
 * event queues are dropped: clients register again, and nodes load their memory again.
 */
import type { Queryable } from "../db/database.ts";
import { Sql, sql } from "../db/sql.ts";
import { TIMELINE } from "../db/timeline.ts";

/**
 * Compares the database with the one of the last start. `place`: identifies the files of an embedded
 * database, which a copy changes. Returns whether it was another one. LOCK: the row of log_timeline.
 */
export async function renewEpochIfRestored(tx: Queryable, place: string | undefined): Promise<boolean> {
  const [{ timeline: current }] = (await tx.query(
    new Sql(`select (${TIMELINE}) as timeline`, [], undefined),
  )) as [{ timeline: string }];
  await tx.query(sql`
    insert into log_timeline (timeline, place) values (${current}, ${place ?? null}) on conflict do nothing`);
  const [known] = await tx.query<{ timeline: string; place: string | null }>(
    sql`select timeline, place from log_timeline for update`,
  );
  const isSamePlace = place === undefined || known?.place === null || known?.place === place;
  const isSame = known?.timeline === current && isSamePlace;
  await tx.query(sql`
    update log_timeline set timeline = ${current}, place = coalesce(${place ?? null}, place)
    where timeline <> ${current} or place is distinct from coalesce(${place ?? null}, place)`);
  if (isSame) return false;
  await tx.query(sql`update organization_logs set epoch = gen_random_uuid()`);
  await tx.query(sql`delete from event_queues`);
  return true;
}
