import type { AuditAction, AuditTarget } from "../../../api/administration/audit-log.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { AuditChanges } from "./changes.ts";

export interface NewAuditRow {
  actorId: UserId | null;
  action: AuditAction;
  targetType: AuditTarget;
  targetId: number | null;
  changes: AuditChanges;
  client: string | null;
  network: string | null;
}

export interface AuditRow extends NewAuditRow {
  id: number;
  at: Date;
}

/** What to list; undefined leaves that open. */
export interface AuditFilter {
  beforeId?: number | undefined;
  actorId?: number | undefined;
  action?: AuditAction | undefined;
  targetType?: AuditTarget | undefined;
  targetId?: number | undefined;
}

export async function insertAuditRow(
  tx: Queryable,
  organizationId: OrganizationId,
  { actorId, action, targetType, targetId, changes, client, network }: NewAuditRow,
): Promise<void> {
  await tx.query(sql`
    insert into audit_log (organization_id, actor_id, action, target_type, target_id, changes, client, network)
    values (${organizationId}, ${actorId}, ${action}, ${targetType}, ${targetId}, ${JSON.stringify(changes)},
      ${client}, ${network})`);
}

/** Above every id. A bound that is always there lets the index begin at it. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

/** The newest entries first. */
export async function listAuditRows(
  tx: Queryable,
  organizationId: OrganizationId,
  { beforeId, actorId, action, targetType, targetId }: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  return tx.query(sql`
    select id, at, actor_id as "actorId", action, target_type as "targetType", target_id as "targetId", changes,
      client, network
    from audit_log
    where organization_id = ${organizationId}
      and id < ${beforeId ?? NO_BOUND}
      and (${actorId ?? null}::bigint is null or actor_id = ${actorId ?? null}::bigint)
      and (${action ?? null}::text is null or action = ${action ?? null}::text)
      and (${targetType ?? null}::text is null or target_type = ${targetType ?? null}::text)
      and (${targetId ?? null}::bigint is null or target_id = ${targetId ?? null}::bigint)
    order by id desc limit ${limit}`);
}

/** Returns how many there were. */
export async function deleteAuditRowsBefore(
  tx: Queryable,
  organizationId: OrganizationId,
  before: Date,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    with gone as (
      delete from audit_log where organization_id = ${organizationId} and at < ${before}::timestamptz returning id
    )
    select count(*) as count from gone`);
  return row?.count ?? 0;
}

/** Entries with ids after the first and up to the last. */
export interface AuditStretch {
  after: number;
  upTo: number;
}

/** The last of the next entries after one; undefined if there is none. */
export async function findAuditEnd(
  db: Queryable,
  organizationId: OrganizationId,
  after: number,
  limit: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ upTo: number | null }>(sql`
    select max(id) as "upTo" from (
      select id from audit_log where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}
    ) as next`);
  return row?.upTo ?? undefined;
}

/**
 * Forgets from where and by which program somebody did things. A sign-in that failed has nobody who did it.
 * It is taken as the person's own, who may have mistyped at home.
 */
export async function clearOrigins(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: AuditStretch,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    update audit_log set network = null, client = null
    where organization_id = ${organizationId} and id > ${after} and id <= ${upTo}
      and (actor_id = ${userId} or (actor_id is null and target_type = 'user' and target_id = ${userId}))
      and (network is not null or client is not null)`);
}

/** Texts of these fields that entries of these kinds about an account have, the earliest first. */
export async function listAccountTexts(
  db: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: AuditStretch,
  { id, actions, fields }: { id: UserId; actions: readonly AuditAction[]; fields: readonly string[] },
): Promise<string[]> {
  const rows = await db.query<{ text: string }>(sql`
    select field.change ->> side.name as text
    from audit_log entry
    cross join lateral jsonb_each(entry.changes) as field (name, change)
    cross join (values ('old'), ('new')) as side (name)
    where entry.organization_id = ${organizationId} and entry.id > ${after} and entry.id <= ${upTo}
      and entry.target_type = 'user' and entry.target_id = ${id} and entry.action = any(${actions}::text[])
      and field.name = any(${fields}::text[]) and jsonb_typeof(field.change -> side.name) = 'string'
    order by entry.id, side.name desc`);
  return rows.map(({ text }) => text);
}

/** Entries about an account, and those that have one of the texts, maybe as a part of another one. */
export async function listEntriesNaming(
  db: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: AuditStretch,
  { id, texts }: { id: UserId; texts: readonly string[] },
): Promise<Pick<AuditRow, "id" | "targetType" | "targetId" | "changes">[]> {
  const written = texts.map((text) => JSON.stringify(text).slice(1, -1));
  return db.query(sql`
    select id, target_type as "targetType", target_id as "targetId", changes from audit_log
    where organization_id = ${organizationId} and id > ${after} and id <= ${upTo} and changes <> '{}'
      and ((target_type = 'user' and target_id = ${id}) or exists (
        select from unnest(${written}::text[]) as named (text) where position(lower(named.text) in lower(changes::text)) > 0
      ))`);
}

export async function updateChanges(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  changes: AuditChanges,
): Promise<void> {
  await tx.query(sql`
    update audit_log set changes = ${JSON.stringify(changes)}
    where organization_id = ${organizationId} and id = ${id}`);
}
