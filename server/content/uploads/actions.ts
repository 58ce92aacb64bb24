/** Adding and deleting uploads. Only their owner learns of it. */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { attachmentAdded, attachmentRemoved } from "../../../api/events/uploads.ts";
import { settingOf } from "../../organization/setting.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { thumbnailKey } from "./path.ts";
import { presentAttachment } from "./present.ts";
import {
  addSpace,
  deleteFileToDelete,
  deleteUploads,
  insertFilesToDelete,
  insertUpload,
  lockAttachments,
  type NewUpload,
} from "./store.ts";
import { thumbnailFormats } from "./thumbnail-formats.ts";
import type { Attachment, Upload } from "./upload.ts";

const MIB = 2 ** 20;

/**
 * Adds an upload whose file is stored already, and is marked as one to delete. `pictureCost`: what its pixels
 * take of the hour's share, where that is more than its bytes.
 */
export async function addUpload(
  tx: ViewerChange,
  quotas: Quotas,
  upload: Omit<NewUpload, "ownerId">,
  pictureCost = 1,
): Promise<Upload> {
  const { state, viewer } = tx;
  const { organizationId } = state;
  await quotas.use(tx, "MiB of files", Math.max(1, pictureCost, Math.ceil(upload.size / MIB)));
  const used = await addSpace(tx, organizationId, upload.size);
  const quota = settingOf(state, organizationSettings.uploadQuotaMib);
  if (quota !== null && used > quota * MIB) throw new ApiError(errors.uploadQuotaExceeded);
  const added = await insertUpload(tx, organizationId, { ...upload, ownerId: viewer.user.id });
  if (!(await deleteFileToDelete(tx, organizationId, upload.storageKey))) {
    throw new Error("an upload took so long that its file was deleted");
  }
  const attachment = presentAttachment({ ...added, messages: [] });
  tx.append(attachmentAdded, { attachment, upload_space_used: used }, toUsers([viewer.user.id]));
  return added;
}

/** Deletes an upload of the viewer. Returns the keys of its files, to be deleted after the commit. */
export async function deleteUpload(tx: ViewerChange, id: number): Promise<string[]> {
  const [upload] = await lockAttachments(tx, tx.state.organizationId, [id], 0);
  if (upload?.ownerId !== tx.viewer.user.id) throw new ApiError(errors.invalidAttachment);
  return removeUploads(tx, [upload]);
}

/** Removes uploads with all links to them, and marks their files as those to delete. */
export async function removeUploads(tx: Change, uploads: readonly Attachment[]): Promise<string[]> {
  const { organizationId } = tx.state;
  const ids = uploads.map(({ id }) => id);
  await deleteUploads(tx, organizationId, ids);
  const keys = uploads.flatMap((upload) => keysOf(tx, upload));
  await insertFilesToDelete(tx, organizationId, keys, new Date());
  let used = await addSpace(tx, organizationId, -sizeOf(uploads));
  used += sizeOf(uploads);
  for (const { id, ownerId, size } of uploads) {
    used -= size;
    tx.append(attachmentRemoved, { attachment: { id }, upload_space_used: used }, toUsers([ownerId]));
  }
  return keys;
}

function sizeOf(uploads: readonly Upload[]): number {
  return uploads.reduce((sum, { size }) => sum + size, 0);
}

function keysOf({ state }: Change, { storageKey, image }: Upload): string[] {
  if (!image) return [storageKey];
  const small = thumbnailFormats.map(({ name }) => thumbnailKey(state.organizationId, storageKey, name));
  return [storageKey, ...small];
}
