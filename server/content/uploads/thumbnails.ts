/**
 * Small pictures of uploads. Each is made when it is first asked for, from the file as it was uploaded, and
 * then kept in the storage. It is decoded and encoded again, so it has no metadata, such as a place.
 */

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ThumbnailFormatRecord } from "../../../api/register/organization.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { ImageError } from "../../platform/images/image-error.ts";
import { holderOf } from "../../platform/images/image-holder.ts";
import { makeThumbnail } from "../../platform/images/images.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { thumbnailKey } from "./path.ts";
import { updatePicture } from "./store.ts";
import { thumbnailFormats } from "./thumbnail-formats.ts";
import type { Upload, UploadedPicture } from "./upload.ts";

export const THUMBNAIL_TYPE = "image/webp";
/** A moving picture of a few hundred kilobytes can have very many frames. */
const LIMITS = { maxFrames: 200 };

const making = new Map<string, Promise<void>>();

/** The key of a small picture, which is there now. undefined: there is no such picture of this upload. */
export async function findThumbnail(
  files: FileStorage,
  state: OrganizationState,
  upload: Upload,
  formatName: string,
): Promise<string | undefined> {
  const format = thumbnailFormats.find(({ name }) => name === formatName);
  const { image } = upload;
  if (!format || !image || image.isBroken || (format.animated && !image.isAnimated)) return undefined;
  const key = thumbnailKey(state.organizationId, upload.storageKey, format.name);
  if ((await files.size(key)) !== undefined) return key;
  try {
    await makeOnce(files, key, upload, format, holderOf(state.organizationId, upload.ownerId));
    return key;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    if (error.problem === "busy") throw new ApiError(errors.serverBusy);
    // Otherwise every request would try it again.
    if (!format.animated) await markAsBroken(state, upload, image);
    return undefined;
  }
}

/** Everybody who opens a message asks for its pictures at the same moment. */
function makeOnce(
  files: FileStorage,
  key: string,
  upload: Upload,
  format: ThumbnailFormatRecord,
  holder: string,
): Promise<void> {
  const known = making.get(key);
  if (known) return known;
  const made = make(files, key, upload, format, holder).finally(() => making.delete(key));
  making.set(key, made);
  return made;
}

async function make(
  files: FileStorage,
  key: string,
  { storageKey }: Upload,
  { max_width, max_height, animated }: ThumbnailFormatRecord,
  holder: string,
): Promise<void> {
  const path = await files.temporaryPath();
  try {
    const original = await files.open(storageKey);
    if (!original) throw new ApiError(errors.fileNotFound);
    await pipeline(original.stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    const { bytes, contentType } = await makeThumbnail(path, {
      ...LIMITS,
      holder,
      width: max_width,
      height: max_height,
      fit: "inside",
      isAnimated: animated,
      stillFormat: "webp",
    });
    await files.put(key, { bytes, contentType });
    // The deletion of an upload deletes its small pictures too, and may have been here before this one.
    if ((await files.size(storageKey)) === undefined) await files.delete(key);
  } finally {
    await rm(path, { force: true });
  }
}

async function markAsBroken(
  { database, organizationId }: OrganizationState,
  { id }: Upload,
  image: UploadedPicture,
): Promise<void> {
  await updatePicture(database, organizationId, id, { ...image, isBroken: true });
}
