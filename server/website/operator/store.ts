import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface OrganizationFacts {
  host: string;
  name: string;
  isActive: boolean;
  /** Active accounts of people. */
  people: number;
  /** As PostgreSQL estimates it; null: it has no estimate for this organization yet. */
  messages: number | null;
  /** The size of uploaded files. */
  bytes: number;
}

/**
 * The largest organizations. No message is counted: PostgreSQL's statistics have the number of all and the
 * part of each organization that is not among the smallest.
 */
export async function listLargest(db: Queryable, limit: number): Promise<OrganizationFacts[]> {
  return db.query(sql`
    with shares as (
      select s.id, s.share from pg_stats p
      cross join lateral unnest(p.most_common_vals::text::bigint[], p.most_common_freqs) as s (id, share)
      where p.schemaname = 'public' and p.tablename = 'messages' and p.attname = 'organization_id'
    ), total as (
      select nullif(reltuples, -1)::float8 as messages from pg_class where oid = 'public.messages'::regclass
    ), people as (
      select organization_id, count(*)::int as people from users
      where bot_type is null and deactivated_at is null and not is_system group by organization_id
    )
    select o.host, o.name, o.deactivated_at is null as "isActive", coalesce(p.people, 0) as people,
      round(s.share * t.messages)::float8 as messages, coalesce(u.used, 0)::float8 as bytes
    from organizations o
    cross join total t
    left join shares s on s.id = o.id
    left join people p on p.organization_id = o.id
    left join upload_space u on u.organization_id = o.id
    order by messages desc nulls last, people desc, bytes desc, o.id
    limit ${limit}`);
}

export interface Sizes {
  organizations: number;
  databaseBytes: number;
  /** The size of uploaded files, as organizations are charged for them. */
  fileBytes: number;
}

export async function findSizes(db: Queryable): Promise<Sizes> {
  const [row] = await db.query<Sizes>(sql`
    select (select count(*) from organizations)::int as organizations,
      pg_database_size(current_database())::float8 as "databaseBytes",
      (select coalesce(sum(used), 0) from upload_space)::float8 as "fileBytes"`);
  return row as Sizes;
}

/** Sessions of the database that clients have: the server's processes, and commands. */
export async function countConnections(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`);
  return row?.count ?? 0;
}

/** The newest positions in the logs of these organizations. */
export async function listHeads(
  db: Queryable,
  ids: readonly OrganizationId[],
): Promise<{ id: OrganizationId; head: number }[]> {
  return db.query(sql`
    select organization_id as id, head from organization_logs where organization_id = any(${ids}::bigint[])`);
}

export async function listHosts(
  db: Queryable,
  ids: readonly OrganizationId[],
): Promise<{ id: OrganizationId; host: string }[]> {
  return db.query(sql`select id, host from organizations where id = any(${ids}::bigint[])`);
}
