import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Where the bytes of a picture lie. */
export interface ImageFile {
  organizationId: OrganizationId;
  fileName: string;
}

export async function findImageFile(
  db: Queryable,
  organizationId: OrganizationId,
  digest: Buffer,
): Promise<string | undefined> {
  const [row] = await db.query<{ fileName: string }>(sql`
    select file_name as "fileName" from external_images
    where organization_id = ${organizationId} and digest = ${digest}`);
  return row?.fileName;
}

/**
 * Keeps a picture, unless another node has kept it a moment ago. Returns the name of the file to use, and
 * that of a file that no row names any more.
 */
export async function putImage(
  db: Queryable,
  organizationId: OrganizationId,
  image: { digest: Buffer; fileName: string; sizeBytes: number; replaced: string | undefined },
): Promise<{ used: string; unused: string | undefined }> {
  const { digest, fileName, sizeBytes, replaced } = image;
  const [row] = await db.query<{ used: string }>(sql`
    insert into external_images as kept (organization_id, digest, file_name, size_bytes)
    values (${organizationId}, ${digest}, ${fileName}, ${sizeBytes})
    on conflict (organization_id, digest) do update set
      file_name = case when kept.file_name = ${replaced ?? null} then excluded.file_name else kept.file_name end,
      size_bytes = case when kept.file_name = ${replaced ?? null} then excluded.size_bytes else kept.size_bytes end,
      fetched_at = clock_timestamp()
    returning file_name as used`);
  const used = row?.used ?? fileName;
  return { used, unused: used === fileName ? replaced : fileName };
}

/**
 * Forgets an organization's oldest pictures beyond these limits. Returns their files, which are to be
 * deleted.
 */
export async function deleteSurplusImages(
  db: Queryable,
  organizationId: OrganizationId,
  { bytes, count }: { bytes: number; count: number },
): Promise<ImageFile[]> {
  return db.query(sql`
    delete from external_images where organization_id = ${organizationId} and digest in (
      select digest from (
        select digest, sum(size_bytes) over newest as bytes, row_number() over newest as count
        from external_images where organization_id = ${organizationId}
        window newest as (order by fetched_at desc, digest rows unbounded preceding)
      ) each
      where bytes > ${bytes} or count > ${count}
    ) returning organization_id as "organizationId", file_name as "fileName"`);
}

/** Forgets the oldest pictures that were fetched so many days ago, in all organizations. */
export async function deleteOldImages(
  db: Queryable,
  { days, limit }: { days: number; limit: number },
): Promise<ImageFile[]> {
  return db.query(sql`
    delete from external_images where (organization_id, digest) in (
      select organization_id, digest from external_images
      where fetched_at < now() - make_interval(days => ${days}::int) order by fetched_at limit ${limit}
    ) returning organization_id as "organizationId", file_name as "fileName"`);
}

/** A page that could not be read has null in all fields. */
export interface PageRow {
  digest: Buffer;
  title: string | null;
  description: string | null;
  imageUrl: string | null;
}

/** What is known of these pages, while it holds. */
export async function listPages(
  db: Queryable,
  organizationId: OrganizationId,
  digests: readonly Buffer[],
): Promise<PageRow[]> {
  return db.query(sql`
    select digest, title, description, image_url as "imageUrl" from external_pages
    where organization_id = ${organizationId} and digest = any(${digests.map(hex)}::bytea[])
      and expires_at > now()`);
}

export async function putPage(
  db: Queryable,
  organizationId: OrganizationId,
  { digest, title, description, imageUrl }: PageRow,
  lifetimeSeconds: number,
): Promise<void> {
  await db.query(sql`
    insert into external_pages (organization_id, digest, title, description, image_url, expires_at)
    values (${organizationId}, ${digest}, ${title}, ${description}, ${imageUrl},
      now() + make_interval(secs => ${lifetimeSeconds}::int))
    on conflict (organization_id, digest) do update set title = excluded.title,
      description = excluded.description, image_url = excluded.image_url, expires_at = excluded.expires_at`);
}

/** Forgets what ends first, beyond so many pages of an organization. */
export async function deleteSurplusPages(
  db: Queryable,
  organizationId: OrganizationId,
  count: number,
): Promise<void> {
  await db.query(sql`
    delete from external_pages where organization_id = ${organizationId} and digest in (
      select digest from external_pages where organization_id = ${organizationId}
      order by expires_at desc, digest offset ${count}
    )`);
}

export async function deleteEndedPages(db: Queryable): Promise<void> {
  await db.query(sql`delete from external_pages where expires_at < now()`);
}

/** Arrays of bytes are bound as texts. */
function hex(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}
