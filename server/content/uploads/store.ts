import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { Attachment, LinkedUpload, MessageLink, Upload, UploadedPicture } from "./upload.ts";

export type NewUpload = Omit<Upload, "id" | "createdAt">;

export const columns: Sql = sql`u.id, u.owner_id as "ownerId", u.path, u.storage_key as "storageKey",
  u.file_name as "fileName", u.content_type as "contentType", u.size, u.created_at as "createdAt", u.image`;

export async function insertUpload(
  tx: Queryable,
  organizationId: OrganizationId,
  upload: NewUpload,
): Promise<Upload> {
  const { ownerId, path, storageKey, fileName, contentType, size, image } = upload;
  const [row] = await tx.query<{ id: number; createdAt: Date }>(sql`
    insert into uploads (organization_id, owner_id, path, storage_key, file_name, content_type, size, image)
    values (${organizationId}, ${ownerId}, ${path}, ${storageKey}, ${fileName}, ${contentType}, ${size},
      ${image && JSON.stringify(image)}::jsonb)
    returning id, created_at as "createdAt"`);
  return { ...upload, ...(row as { id: number; createdAt: Date }) };
}

export async function hasUploads(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select from uploads limit 1`);
  return rows.length > 0;
}

/** The uploads with these paths, each with the newest messages that link it. */
export async function listLinkedUploads(
  db: Queryable,
  organizationId: OrganizationId,
  paths: readonly string[],
  linksOfEach: number,
): Promise<LinkedUpload[]> {
  const statement = sql`
    select ${columns}, array(
      select l.message_id from message_uploads l
      where l.organization_id = u.organization_id and l.upload_id = u.id
      order by l.message_id desc limit ${linksOfEach}
    ) as "messageIds"
    from uploads u where u.organization_id = ${organizationId} and u.path = any(${paths}::text[])`;
  return db.query(prepare(statement));
}

/** A person's uploads, the newest first, each with the newest messages that link it. */
export async function listAttachments(
  db: Queryable,
  organizationId: OrganizationId,
  ownerId: UserId,
  limits: { uploads: number; messages: number },
): Promise<Attachment[]> {
  const rows = await db.query<UploadRow>(sql`
    select ${columns}, ${messagesOf(limits.messages)} as messages
    from uploads u where u.organization_id = ${organizationId} and u.owner_id = ${ownerId}
    order by u.id desc limit ${limits.uploads}`);
  return rows.map(toAttachment);
}

/** LOCK: the uploads' rows, always in one order, to the end of the transaction. */
export async function lockAttachments(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
  maxMessages: number,
): Promise<Attachment[]> {
  await tx.query(sql`
    select from uploads where organization_id = ${organizationId} and id = any(${ids}::bigint[])
    order by id for update`);
  // A statement of its own: it sees what the former holders of the locks have committed.
  const rows = await tx.query<UploadRow>(sql`
    select ${columns}, ${messagesOf(maxMessages)} as messages
    from uploads u where u.organization_id = ${organizationId} and u.id = any(${ids}::bigint[]) order by u.id`);
  return rows.map(toAttachment);
}

/** The newest messages that link the upload `u`, each as its id and the time in milliseconds. */
export function messagesOf(limit: number): Sql {
  return sql`(
    select json_agg(json_build_array(l.message_id, extract(epoch from l.sent_at) * 1000) order by l.message_id)
    from (
      select message_id, sent_at from message_uploads
      where organization_id = u.organization_id and upload_id = u.id order by message_id desc limit ${limit}
    ) l
  )`;
}

/** An upload with its `messagesOf`. */
export type UploadRow = Upload & { messages: [number, number][] | null };

export function toAttachment(row: UploadRow): Attachment {
  const links = (row.messages ?? []).map(([id, at]) => ({
    messageId: id as MessageId,
    sentAt: new Date(at),
  }));
  return { ...row, messages: links };
}

/** The uploads that these messages link. */
export async function listUploadsOfMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  messageIds: readonly MessageId[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select distinct upload_id as id from message_uploads
    where organization_id = ${organizationId} and message_id = any(${messageIds}::bigint[])`);
  return rows.map(({ id }) => id);
}

export async function insertLinks(
  tx: Queryable,
  organizationId: OrganizationId,
  uploadIds: readonly number[],
  { messageId, sentAt }: MessageLink,
): Promise<void> {
  await tx.query(sql`
    with linked as (
      insert into message_uploads (organization_id, upload_id, message_id, sent_at)
      select ${organizationId}, id, ${messageId}, ${sentAt} from unnest(${uploadIds}::bigint[]) as id
      on conflict do nothing
    )
    update uploads set unlinked_since = null
    where organization_id = ${organizationId} and id = any(${uploadIds}::bigint[])`);
}

/** Deletes what these messages link of these uploads. Those that no message links now say since when. */
export async function deleteLinks(
  tx: Queryable,
  organizationId: OrganizationId,
  uploadIds: readonly number[],
  messageIds: readonly MessageId[],
): Promise<void> {
  await tx.query(sql`
    delete from message_uploads where organization_id = ${organizationId}
      and upload_id = any(${uploadIds}::bigint[]) and message_id = any(${messageIds}::bigint[])`);
  await tx.query(sql`
    update uploads u set unlinked_since = clock_timestamp()
    where u.organization_id = ${organizationId} and u.id = any(${uploadIds}::bigint[])
      and u.unlinked_since is null and not exists (
        select from message_uploads l where l.organization_id = u.organization_id and l.upload_id = u.id
      )`);
}

export async function updatePicture(
  db: Queryable,
  organizationId: OrganizationId,
  id: number,
  image: UploadedPicture,
): Promise<void> {
  await db.query(sql`
    update uploads set image = ${JSON.stringify(image)}::jsonb
    where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteUploads(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    sql`delete from uploads where organization_id = ${organizationId} and id = any(${ids}::bigint[])`,
  );
}

/**
 * Uploads that no message has linked since a time before the given one. Drafts and scheduled messages of
 * their owner keep them: nobody else may link them by now. The path is looked for by its random part, which
 * no program writes in another way.
 */
export async function listUnlinked(
  tx: Queryable,
  organizationId: OrganizationId,
  before: Date,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select u.id from uploads u
    where u.organization_id = ${organizationId} and u.unlinked_since < ${before}
      and not exists (
        select from scheduled_messages s
        where s.organization_id = u.organization_id and s.sender_id = u.owner_id
          and position(split_part(u.path, '/', 3) in s.content) > 0)
      and not exists (
        select from drafts d
        where d.organization_id = u.organization_id and d.user_id = u.owner_id
          and position(split_part(u.path, '/', 3) in d.content) > 0)
    order by u.id limit ${limit}
    for update of u`);
  return rows.map(({ id }) => id);
}

/** Some of a person's uploads that no message links. */
export async function listUnlinkedOf(
  tx: Queryable,
  organizationId: OrganizationId,
  ownerId: UserId,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select id from uploads
    where organization_id = ${organizationId} and owner_id = ${ownerId} and unlinked_since is not null
    order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The active organizations with such uploads. */
export async function listOrganizationsWithUnlinked(db: Queryable, before: Date): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select distinct u.organization_id as id from uploads u join organizations o on o.id = u.organization_id
    where u.unlinked_since < ${before} and o.deactivated_at is null`);
  return rows.map(({ id }) => id);
}

/**
 * Adds to the bytes of an organization's uploads, and returns their new number. LOCK: the organization's row
 * in upload_space, to the end of the transaction.
 */
export async function addSpace(
  tx: Queryable,
  organizationId: OrganizationId,
  bytes: number,
): Promise<number> {
  const [row] = await tx.query<{ used: number }>(sql`
    insert into upload_space as s (organization_id, used) values (${organizationId}, ${bytes})
    on conflict (organization_id) do update set used = s.used + ${bytes}
    returning used`);
  return (row as { used: number }).used;
}

export async function findSpace(db: Queryable, organizationId: OrganizationId): Promise<number> {
  const [row] = await db.query<{ used: number }>(
    sql`select used from upload_space where organization_id = ${organizationId}`,
  );
  return row?.used ?? 0;
}

export async function insertFilesToDelete(
  tx: Queryable,
  organizationId: OrganizationId,
  keys: readonly string[],
  dueAt: Date,
): Promise<void> {
  await tx.query(sql`
    insert into files_to_delete (organization_id, key, due_at)
    select ${organizationId}, key, ${dueAt} from unnest(${keys}::text[]) as key
    on conflict (organization_id, key) do update set due_at = excluded.due_at`);
}

export async function listFilesToDelete(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: OrganizationId; key: string }[]> {
  return db.query(sql`
    select organization_id as "organizationId", key from files_to_delete
    where due_at <= clock_timestamp() order by due_at limit ${limit}`);
}

/** false: the row was gone already, so what it says must not be relied on. */
export async function deleteFileToDelete(
  db: Queryable,
  organizationId: OrganizationId,
  key: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from files_to_delete where organization_id = ${organizationId} and key = ${key} returning key`);
  return rows.length > 0;
}
