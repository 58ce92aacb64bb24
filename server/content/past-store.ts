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
