import type { OrganizationId, UserId } from "../../../../api/ids.ts";
import { PARTIAL_UPLOAD_HOURS } from "../../../../api/limits.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

/** An upload that arrives in several requests, or has arrived. */
export interface PartialRow {
  id: string;
  fileName: string;
  length: number;
  createdAt: Date;
  uploadPath: string | null;
}

/** The owner. For others it is as if it were not there. */
export interface PartialOwner {
  organizationId: OrganizationId;
  ownerId: UserId;
}

/** After this time without a word from its writer, another request may write. */
const WRITER_SECONDS = 30;

const columns: Sql = sql`id, file_name as "fileName", length, created_at as "createdAt",
  upload_path as "uploadPath"`;
const isPresent: Sql = sql`created_at > clock_timestamp() - make_interval(hours => ${PARTIAL_UPLOAD_HOURS})`;
const hasNoWriter: Sql = sql`(writer_until is null or writer_until < clock_timestamp())`;

export async function insertPartial(
  tx: Queryable,
  { organizationId, ownerId }: PartialOwner,
  { id, fileName, length }: Pick<PartialRow, "id" | "fileName" | "length">,
): Promise<PartialRow> {
  const [row] = await tx.query<PartialRow>(sql`
    insert into partial_uploads (organization_id, id, owner_id, file_name, length)
    values (${organizationId}, ${id}, ${ownerId}, ${fileName}, ${length}) returning ${columns}`);
  return row as PartialRow;
}

/** How many of the person's uploads are not finished, and can still be. */
export async function countPartials(
  tx: Queryable,
  { organizationId, ownerId }: PartialOwner,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from partial_uploads
    where organization_id = ${organizationId} and owner_id = ${ownerId} and upload_path is null and ${isPresent}`);
  return row?.count ?? 0;
}

export async function findPartial(
  db: Queryable,
  { organizationId, ownerId }: PartialOwner,
  id: string,
): Promise<PartialRow | undefined> {
  const [row] = await db.query<PartialRow>(sql`
    select ${columns} from partial_uploads
    where organization_id = ${organizationId} and id = ${id} and owner_id = ${ownerId} and ${isPresent}`);
  return row;
}

/** Makes a request the only writer of an unfinished upload. undefined: it has another, or is not there. */
export async function takePartial(
  db: Queryable,
  { organizationId, ownerId }: PartialOwner,
  id: string,
  writer: string,
): Promise<PartialRow | undefined> {
  const [row] = await db.query<PartialRow>(sql`
    update partial_uploads
    set writer = ${writer}, writer_until = clock_timestamp() + make_interval(secs => ${WRITER_SECONDS})
    where organization_id = ${organizationId} and id = ${id} and owner_id = ${ownerId}
      and upload_path is null and ${isPresent} and ${hasNoWriter}
    returning ${columns}`);
  return row;
}

/** Says that the writer goes on. false: the upload is not there any more, or has another writer. */
export async function renewWriter(
  db: Queryable,
  organizationId: OrganizationId,
  id: string,
  writer: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update partial_uploads set writer_until = clock_timestamp() + make_interval(secs => ${WRITER_SECONDS})
    where organization_id = ${organizationId} and id = ${id} and writer = ${writer} returning id`);
  return rows.length > 0;
}

export async function releaseWriter(
  db: Queryable,
  organizationId: OrganizationId,
  id: string,
  writer: string,
): Promise<void> {
  await db.query(sql`
    update partial_uploads set writer = null, writer_until = null
    where organization_id = ${organizationId} and id = ${id} and writer = ${writer}`);
}

/** false: the upload is not there any more, or has another writer. */
export async function finishPartial(
  tx: Queryable,
  organizationId: OrganizationId,
  id: string,
  writer: string,
  { path, fileName }: { path: string; fileName: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update partial_uploads set upload_path = ${path}, file_name = ${fileName}
    where organization_id = ${organizationId} and id = ${id} and writer = ${writer} and upload_path is null
    returning id`);
  return rows.length > 0;
}

/** Deletes one that is not finished. false: there is none. */
export async function deletePartial(
  db: Queryable,
  { organizationId, ownerId }: PartialOwner,
  id: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from partial_uploads
    where organization_id = ${organizationId} and id = ${id} and owner_id = ${ownerId} and upload_path is null
    returning id`);
  return rows.length > 0;
}

/** Those whose time is over and that nobody writes. */
export async function listExpiredPartials(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: OrganizationId; id: string }[]> {
  return db.query(sql`
    select organization_id as "organizationId", id from partial_uploads
    where not (${isPresent}) and ${hasNoWriter} order by created_at limit ${limit}`);
}

export async function deleteExpiredPartial(
  db: Queryable,
  organizationId: OrganizationId,
  id: string,
): Promise<void> {
  await db.query(
    sql`delete from partial_uploads where organization_id = ${organizationId} and id = ${id} and not (${isPresent})`,
  );
}

/** The uploads of somebody who can't go on with them, finished or not. */
export async function listPartialsOf(
  db: Queryable,
  { organizationId, ownerId }: PartialOwner,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from partial_uploads where organization_id = ${organizationId} and owner_id = ${ownerId}`);
  return rows.map(({ id }) => id);
}

export async function deletePartialsOf(
  db: Queryable,
  { organizationId, ownerId }: PartialOwner,
): Promise<void> {
  await db.query(sql`
    delete from partial_uploads where organization_id = ${organizationId} and owner_id = ${ownerId}`);
}
