/** Emoji and files of another chat, for an organization that nobody can load yet. They make no events. */

import { stat } from "node:fs/promises";
import { ApiError } from "../../api/errors.ts";
import type { MessageId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Database, Queryable } from "../platform/db/database.ts";
import type { FileStorage } from "../platform/file-storage/file-storage.ts";
import { ImageError } from "../platform/images/image-error.ts";
import { holderOf } from "../platform/images/image-holder.ts";
import { pictureKeys } from "./avatars/pictures.ts";
import { parseEmojiName } from "./emoji/names.ts";
import { deletePictures, storePictures } from "./emoji/pictures.ts";
import { listCustomEmoji } from "./emoji/store.ts";
import {
  insertPastEmoji,
  insertPastLinks,
  insertPastUpload,
  listPastFiles,
  listPastPictures,
  markUnlinked,
} from "./past-store.ts";
import { contentTypeOf } from "./uploads/content-type.ts";
import { deleteFilesNow } from "./uploads/delete-files.ts";
import { newNames } from "./uploads/path.ts";
import { readPicture } from "./uploads/receive.ts";
import { addSpace, deleteFileToDelete, insertFilesToDelete } from "./uploads/store.ts";
import type { UploadedPicture } from "./uploads/upload.ts";

interface Uses {
  database: Database;
  files: FileStorage;
}

export interface PastEmoji {
  name: string;
  authorId: UserId | null;
  isActive: boolean;
  /** A local file, which stays. */
  path: string;
}

/** The name as it would be stored; undefined for one that no emoji can have. */
export function pastEmojiName(text: string): string | undefined {
  return refusedAsNone(() => parseEmojiName(text));
}

/**
 * Stores an emoji. `also` is part of its transaction. Returns undefined, and stores nothing, for a file that
 * is no picture.
 */
export async function storePastEmoji(
  { database, files }: Uses,
  organizationId: OrganizationId,
  { name, authorId, isActive, path }: PastEmoji,
  also: (tx: Queryable, id: number) => Promise<void>,
): Promise<number | undefined> {
  const holder = holderOf(organizationId, authorId ?? 0);
  const picture = await storePictures(files, organizationId, { path, holder }).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  if (!picture) return undefined;
  try {
    return await database.transaction(async (tx) => {
      const id = await insertPastEmoji(tx, organizationId, { name, authorId, isActive, ...picture });
      await also(tx, id);
      return id;
    });
  } catch (error) {
    await deletePictures(files, organizationId, picture);
    throw error;
  }
}

/** A stored upload, as texts that link it need it. */
export interface PastUpload {
  id: number;
  path: string;
  contentType: string;
  image: UploadedPicture | null;
}

/** Longer than any upload takes. */
const HOUR_MS = 3600 * 1000;

/**
 * Stores a local file as an upload of somebody; the local file is gone then. `also` is part of the
 * transaction.
 */
export async function storePastUpload(
  { database, files }: Uses,
  organizationId: OrganizationId,
  {
    path,
    fileName,
    ownerId,
    createdAt,
  }: { path: string; fileName: string; ownerId: UserId; createdAt: Date },
  also: (tx: Queryable, upload: PastUpload) => Promise<void>,
): Promise<PastUpload> {
  const { size } = await stat(path);
  const names = newNames(organizationId, fileName);
  const contentType = await contentTypeOf(path, fileName);
  const image = await pictureOf(path, contentType, holderOf(organizationId, ownerId));
  // What a crash leaves in the storage is deleted by this row.
  await insertFilesToDelete(database, organizationId, [names.storageKey], new Date(Date.now() + HOUR_MS));
  await files.put(names.storageKey, { path, contentType });
  return database.transaction(async (tx) => {
    if (!(await deleteFileToDelete(tx, organizationId, names.storageKey))) {
      throw new Error("a file took so long that it was deleted");
    }
    const row = { ...names, ownerId, fileName, contentType, size, image, createdAt };
    const upload = {
      id: await insertPastUpload(tx, organizationId, row),
      path: names.path,
      contentType,
      image,
    };
    await addSpace(tx, organizationId, size);
    await also(tx, upload);
    return upload;
  });
}

export async function pictureOf(
  path: string,
  contentType: string,
  holder: string,
): Promise<UploadedPicture | null> {
  try {
    return (await readPicture(path, contentType, holder))?.image ?? null;
  } catch (error) {
    if (error instanceof ApiError || error instanceof ImageError) return null;
    throw error;
  }
}

/** Says which messages link which uploads. */
export function addPastLinks(
  tx: Queryable,
  organizationId: OrganizationId,
  links: readonly { uploadId: number; messageId: MessageId; sentAt: Date }[],
): Promise<void> {
  return insertPastLinks(tx, organizationId, links);
}

/** Uploads that no message links end as others do, a while from now. */
export function leaveUnlinked(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  return markUnlinked(tx, organizationId);
}

/** Deletes all files of an organization whose import is taken back. Its rows are the caller's. */
export async function deletePastFiles(
  { database, files }: Uses,
  organizationId: OrganizationId,
): Promise<void> {
  for (const picture of await listCustomEmoji(database, organizationId)) {
    await deletePictures(files, organizationId, picture);
  }
  for (const { form, name } of await listPastPictures(database, organizationId)) {
    for (const key of pictureKeys(organizationId, form, name)) await files.delete(key);
  }
  for (let after = ""; ; ) {
    const keys = await listPastFiles(database, organizationId, after, FILES_AT_ONCE);
    const last = keys.at(-1);
    if (last === undefined) return;
    await deleteFilesNow({ database, files }, organizationId, keys);
    after = last;
  }
}

const FILES_AT_ONCE = 100;

function refusedAsNone<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
