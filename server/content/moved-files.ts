/**
 * The files of an organization that comes from another server, whose rows are there already. Nobody can load
 * it yet. What a file is, its bytes say, and not where it comes from.
 */
import { open, stat } from "node:fs/promises";
import type { OrganizationId } from "../../api/ids.ts";
import type { Database, Queryable } from "../platform/db/database.ts";
import type { FileStorage } from "../platform/file-storage/file-storage.ts";
import { formatOfHead } from "../platform/images/image-format.ts";
import { holderOf } from "../platform/images/image-holder.ts";
import { pictureOf } from "./past.ts";
import { countPastSpace, listMovedUploads, updateMovedUpload } from "./past-store.ts";
import { contentTypeOf } from "./uploads/content-type.ts";

const AT_ONCE = 200;
const HEAD_BYTES = 32;

interface Uses {
  database: Database;
  files: FileStorage;
}

/**
 * Stores a local file as a picture that everyone can load, under this key. Returns false, and stores nothing,
 * if it is no such picture.
 */
export async function storeMovedPicture(files: FileStorage, key: string, path: string): Promise<boolean> {
  const format = await formatOf(path);
  if (format !== (key.endsWith(".webp") ? "webp" : "png")) return false;
  await putOnce(files, key, { path, contentType: `image/${format}` });
  return true;
}

/** `pathOf`: the local file of an upload, by its key. Those without one stay as rows. */
export async function storeMovedUploads(
  { database, files }: Uses,
  organizationId: OrganizationId,
  pathOf: (storageKey: string) => string | undefined,
  onStored: () => void,
): Promise<void> {
  for (let after = 0; ; ) {
    const uploads = await listMovedUploads(database, organizationId, after, AT_ONCE);
    for (const { id, ownerId, storageKey, fileName } of uploads) {
      after = id;
      const path = pathOf(storageKey);
      if (path === undefined) continue;
      const { size } = await stat(path);
      const contentType = await contentTypeOf(path, fileName);
      const image = await pictureOf(path, contentType, holderOf(organizationId, ownerId));
      await putOnce(files, storageKey, { path, contentType });
      await updateMovedUpload(database, organizationId, { id, size, contentType, image });
      onStored();
    }
    if (uploads.length < AT_ONCE) return;
  }
}

/** To be called when all uploads are there. */
export function countMovedSpace(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  return countPastSpace(tx, organizationId);
}

/** An earlier run may have stored it. */
async function putOnce(
  files: FileStorage,
  key: string,
  source: { path: string; contentType: string },
): Promise<void> {
  const { size } = await stat(source.path);
  if ((await files.size(key)) !== size) await files.put(key, source);
}

async function formatOf(path: string): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return formatOfHead(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
