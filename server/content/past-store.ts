import type { MessageId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";
import type { EmojiPicture } from "./emoji/store.ts";
import type { NewUpload } from "./uploads/store.ts";

export async function insertPastEmoji(
  tx: Queryable,
  organizationId: OrganizationId,
  emoji: EmojiPicture & { name: string; authorId: UserId | null; isActive: boolean },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into custom_emoji (organization_id, name, file_name, is_animated, author_id, deactivated_at)
    values (${organizationId}, ${emoji.name}, ${emoji.fileName}, ${emoji.isAnimated}, ${emoji.authorId},
      case when not ${emoji.isActive} then now() end)
    returning id`);
  return (row as { id: number }).id;
}

/** It counts as linked until `markUnlinked`. */
export async function insertPastUpload(
  tx: Queryable,
  organizationId: OrganizationId,
  upload: NewUpload & { createdAt: Date },
): Promise<number> {
  const { ownerId, path, storageKey, fileName, contentType, size, image, createdAt } = upload;
  const [row] = await tx.query<{ id: number }>(sql`
    insert into uploads (organization_id, owner_id, path, storage_key, file_name, content_type, size, image,
      created_at, unlinked_since)
    values (${organizationId}, ${ownerId}, ${path}, ${storageKey}, ${fileName}, ${contentType}, ${size},
      ${image && JSON.stringify(image)}::jsonb, ${createdAt}, null)
    returning id`);
  return (row as { id: number }).id;
}

export async function insertPastLinks(
  tx: Queryable,
  organizationId: OrganizationId,
  links: readonly { uploadId: number; messageId: MessageId; sentAt: Date }[],
): Promise<void> {
  await tx.query(sql`
    insert into message_uploads (organization_id, upload_id, message_id, sent_at)
    select ${organizationId}, l.upload_id, l.message_id, l.sent_at
    from unnest(${links.map(({ uploadId }) => uploadId)}::bigint[],
      ${links.map(({ messageId }) => messageId)}::bigint[], ${links.map(({ sentAt }) => sentAt)}::timestamptz[])
      as l (upload_id, message_id, sent_at)
    on conflict do nothing`);
}

export async function markUnlinked(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`
    update uploads u set unlinked_since = clock_timestamp()
    where u.organization_id = ${organizationId} and not exists (
      select from message_uploads l where l.organization_id = u.organization_id and l.upload_id = u.id)`);
}

/** The keys of stored and begun uploads, in their order, after this one. */
export async function listPastFiles(
  db: Queryable,
  organizationId: OrganizationId,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select key from (
      select storage_key as key from uploads where organization_id = ${organizationId}
      union select key from files_to_delete where organization_id = ${organizationId}
    ) stored
    where key collate "C" > ${after} order by key collate "C" limit ${limit}`);
  return rows.map(({ key }) => key);
}

/** The names of uploaded pictures of people and of the organization. */
export async function listPastPictures(
  db: Queryable,
  organizationId: OrganizationId,
): Promise<{ form: "avatar" | "icon" | "logo"; name: string }[]> {
  return db.query(sql`
    select 'avatar' as form, avatar_file as name from users
    where organization_id = ${organizationId} and avatar_file is not null
    union all
    select p.form, p.name from organizations o,
      lateral (values ('icon', o.icon_file), ('logo', o.logo_file), ('logo', o.night_logo_file)) as p (form, name)
    where o.id = ${organizationId} and p.name is not null`);
}

/** Uploads with larger ids, in the order of their ids. */
export async function listMovedUploads(
  db: Queryable,
  organizationId: OrganizationId,
  after: number,
  limit: number,
): Promise<{ id: number; ownerId: UserId; storageKey: string; fileName: string }[]> {
  return db.query(sql`
    select id, owner_id as "ownerId", storage_key as "storageKey", file_name as "fileName" from uploads
    where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}`);
}

export async function updateMovedUpload(
  db: Queryable,
  organizationId: OrganizationId,
  upload: Pick<NewUpload, "size" | "contentType" | "image"> & { id: number },
): Promise<void> {
  const { id, size, contentType, image } = upload;
  await db.query(sql`
    update uploads set size = ${size}, content_type = ${contentType}, image = ${image && JSON.stringify(image)}::jsonb
    where organization_id = ${organizationId} and id = ${id}`);
}

/** Counts the space of all uploads. */
export async function countPastSpace(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`
    insert into upload_space (organization_id, used)
    select ${organizationId}, coalesce(sum(size), 0) from uploads where organization_id = ${organizationId}
    on conflict (organization_id) do update set used = excluded.used`);
}
