import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Room in bytes. */
export interface TableRoom {
  name: string;
  /** With its indexes, long values, and versions of rows that are yet to be cleaned. */
  bytes: number;
}

/** Files of somebody or something, as the rows of uploads say. */
export interface UploadRoom {
  /** The owner's, or that of the channel or conversation. null: no message links them. */
  id: number | null;
  bytes: number;
  count: number;
}

/** Names and sizes, the largest first. The days of the log are one table. */
export async function listTableRoom(db: Queryable): Promise<TableRoom[]> {
  return db.query(sql`
    select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
    where c.relkind in ('r', 'p') and c.relnamespace in (
      select oid from pg_namespace where nspname in ('public', 'graphile_worker'))
    group by 1 order by 2 desc, 1`);
}

/** The whole database, with what PostgreSQL keeps about it. */
export async function findDatabaseRoom(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return row?.bytes ?? 0;
}

/** The largest first. */
export async function listRoomOfPeople(db: Queryable, organizationId: OrganizationId): Promise<UploadRoom[]> {
  return db.query(sql`
    select owner_id as id, sum(size)::float8 as bytes, count(*)::int as count from uploads
    where organization_id = ${organizationId} group by 1 order by 2 desc, 1`);
}

/** By the channel or the conversation of the first message that links an upload, the largest first. */
export async function listRoomOfPlaces(db: Queryable, organizationId: OrganizationId): Promise<UploadRoom[]> {
  return db.query(sql`
    select m.recipient_id as id, sum(u.size)::float8 as bytes, count(*)::int as count
    from uploads u
    left join lateral (
      select l.message_id from message_uploads l
      where l.organization_id = u.organization_id and l.upload_id = u.id order by l.message_id limit 1
    ) first on true
    left join messages m on m.organization_id = u.organization_id and m.id = first.message_id
    where u.organization_id = ${organizationId} group by 1 order by 2 desc, 1`);
}
