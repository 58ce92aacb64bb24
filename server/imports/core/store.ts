import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { Sql, sql } from "../../platform/db/sql.ts";

/** How far an import is: what comes next. */
export type ImportStep = "structure" | "files" | "messages" | "readers" | "reactions" | "done";

export interface ImportRow {
  organizationId: OrganizationId;
  source: string;
  /** The archive's digest. */
  archive: string;
  step: ImportStep;
  /** How many messages are written. */
  messages: number;
  finishedAt: Date | null;
}

export async function insertImport(
  tx: Queryable,
  { organizationId, source, archive }: Pick<ImportRow, "organizationId" | "source" | "archive">,
): Promise<void> {
  await tx.query(sql`
    insert into imports (organization_id, source, archive, step)
    values (${organizationId}, ${source}, ${archive}, 'structure')`);
}

export async function findImportByHost(db: Queryable, host: string): Promise<ImportRow | undefined> {
  const [row] = await db.query<ImportRow>(sql`
    select i.organization_id as "organizationId", i.source, i.archive, i.step, i.messages,
      i.finished_at as "finishedAt"
    from imports i join organizations o on o.id = i.organization_id where o.host = ${host}`);
  return row;
}

export async function hasOrganization(db: Queryable, host: string): Promise<boolean> {
  const rows = await db.query(sql`select from organizations where host = ${host}`);
  return rows.length > 0;
}

export async function updateImport(
  tx: Queryable,
  organizationId: OrganizationId,
  { step, messages }: { step: ImportStep; messages: number },
): Promise<void> {
  await tx.query(sql`
    update imports set step = ${step}, messages = ${messages},
      finished_at = case when ${step}::text = 'done' then now() end
    where organization_id = ${organizationId}`);
}

/**
 * Notes that rows up to `to` are written. Returns false if another process has written some beyond `from`, or
 * has taken the import back. LOCK: the import's row, to the end of the transaction.
 */
export async function advanceImport(
  tx: Queryable,
  organizationId: OrganizationId,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update imports set messages = ${to}
    where organization_id = ${organizationId} and step = 'structure' and messages = ${from} returning 1`);
  return rows.length > 0;
}

export type SourceKind = "person" | "group" | "folder" | "channel" | "emoji" | "upload" | "message";

export async function insertSources(
  tx: Queryable,
  organizationId: OrganizationId,
  source: string,
  kind: SourceKind,
  pairs: readonly (readonly [sourceId: string, id: number])[],
): Promise<void> {
  await tx.query(sql`
    insert into import_sources (organization_id, source, kind, source_id, id)
    select ${organizationId}, ${source}, ${kind}, p.source_id, p.id
    from unnest(${pairs.map(([sourceId]) => sourceId)}::text[], ${pairs.map(([, id]) => id)}::bigint[])
      as p (source_id, id)`);
}

export async function listSources(
  db: Queryable,
  organizationId: OrganizationId,
  kind: SourceKind,
): Promise<{ sourceId: string; id: number }[]> {
  return db.query(sql`
    select source_id as "sourceId", id from import_sources
    where organization_id = ${organizationId} and kind = ${kind}`);
}

/** The tables with rows of organizations, those that others refer to last. */
export async function listOrganizationTables(db: Queryable): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const references = await db.query<{ name: string; to: string }>(sql`
    select c.conrelid::regclass::text as name, c.confrelid::regclass::text as "to" from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conrelid <> c.confrelid`);
  const ordered: string[] = [];
  const left = new Set(tables.map(({ name }) => name));
  while (left.size > 0) {
    const free = [...left].filter(
      (name) => !references.some((each) => each.to === name && left.has(each.name)),
    );
    if (free.length === 0) throw new Error("tables refer to each other in a circle");
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}

/** Deletes some of an organization's rows. Returns how many. `table`: of `listOrganizationTables`. */
export async function deleteRowsOf(
  tx: Queryable,
  table: string,
  organizationId: OrganizationId,
  limit: number,
): Promise<number> {
  const name = table.replaceAll('"', '""');
  const statement = new Sql(
    `with gone as (delete from "${name}" where ctid = any(array(
       select ctid from "${name}" where organization_id = $1 limit $2)) and organization_id = $1 returning 1)
     select count(*)::int as count from gone`,
    [organizationId, limit],
    undefined,
  );
  const [row] = await tx.query<{ count: number }>(statement);
  return row?.count ?? 0;
}

export async function deleteOrganization(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`delete from organizations where id = ${organizationId}`);
}

/** How many uploads are stored, in the order of their ids. */
export async function listStoredUploads(
  db: Queryable,
  organizationId: OrganizationId,
): Promise<{ id: number; path: string; contentType: string; image: unknown }[]> {
  return db.query(sql`
    select id, path, content_type as "contentType", image from uploads where organization_id = ${organizationId}`);
}
