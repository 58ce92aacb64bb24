import { ApiError, errors } from "../../../api/errors.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent, type ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { OutcomeUnknown } from "../../platform/db/database-unavailable.ts";
import { ImageError } from "../../platform/images/image-error.ts";
import { holderOf } from "../../platform/images/image-holder.ts";
import { costOf, readImageInfo } from "../../platform/images/images.ts";
import type { Services } from "../../services.ts";
import { addUpload } from "./actions.ts";
import { ANY_TYPE, contentTypeOf } from "./content-type.ts";
import { deleteFilesNow } from "./delete-files.ts";
import { newNames } from "./path.ts";
import { insertFilesToDelete } from "./store.ts";
import type { Upload, UploadedPicture } from "./upload.ts";

/** A file on this machine that somebody sent. */
export interface SentFile {
  path: string;
  /** For people. */
  fileName: string;
  size: number;
  /** Given for a picture that the server drew itself, so that nothing has to read it. */
  image?: UploadedPicture;
}

/** Longer than any upload takes from here on. */
const HOUR_MS = 3600 * 1000;

/**
 * Stores a file as an upload of the viewer. Before it is stored, a row marks it as one to delete, and the
 * transaction that adds the upload takes the mark back. So nothing stays that no row names. `alsoChange` is
 * part of that transaction.
 */
export async function storeUpload(
  { config, files }: Pick<Services, "config" | "files">,
  viewer: Viewer,
  { path, fileName, size, image: drawn }: SentFile,
  alsoChange?: (tx: ViewerChange, upload: Upload) => Promise<void>,
): Promise<Upload> {
  const { organizationId, database } = viewer.state;
  const names = newNames(organizationId, fileName);
  const contentType = await contentTypeOf(path, fileName);
  const found = drawn
    ? undefined
    : await readPicture(path, contentType, holderOf(organizationId, viewer.user.id));
  const image = drawn ?? found?.image ?? null;
  await insertFilesToDelete(database, organizationId, [names.storageKey], new Date(Date.now() + HOUR_MS));
  await files.put(names.storageKey, { path, contentType });
  const upload = { ...names, fileName, contentType, size, image };
  try {
    return await changeContent(viewer, async (tx) => {
      const added = await addUpload(tx, new Quotas(config), upload, found?.cost);
      await alsoChange?.(tx, added);
      return added;
    });
  } catch (error) {
    // What can't be deleted now is deleted in an hour, if the upload is not there after all.
    const isOver = !(error instanceof OutcomeUnknown);
    if (isOver)
      await Promise.allSettled([deleteFilesNow({ database, files }, organizationId, [names.storageKey])]);
    throw error;
  }
}

/**
 * What a picture's header says; null for what is no picture, or one that no small picture can be made of.
 * Throws `serverBusy`.
 */
export async function readPicture(
  path: string,
  contentType: string,
  holder: string,
): Promise<{ image: UploadedPicture; cost: number } | null> {
  if (contentType === ANY_TYPE || !contentType.startsWith("image/")) return null;
  try {
    const info = await readImageInfo(path, holder);
    const { width, height, isAnimated } = info;
    return { image: { width, height, isAnimated }, cost: costOf(info) };
  } catch (error) {
    if (error instanceof ImageError && error.problem === "busy") throw new ApiError(errors.serverBusy);
    if (error instanceof ImageError) return null;
    throw error;
  }
}
