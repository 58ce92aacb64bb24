import { ApiError, errors } from "../../../api/errors.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { OutcomeUnknown } from "../../platform/db/database-unavailable.ts";
import type { ReceivedFile } from "../../platform/http/received-files.ts";
import { holderOf } from "../../platform/images/image-holder.ts";
import type { Services } from "../../services.ts";
import { addEmoji, checkNewEmoji } from "./actions.ts";
import { parseEmojiName } from "./names.ts";
import { deletePictures, storePictures } from "./pictures.ts";
import { type EmojiPicture, isPictureUsed } from "./store.ts";

type Uses = Pick<Services, "config" | "database" | "files">;

/**
 * Adds an emoji with the picture in a file. The picture is stored before the row is committed, and deleted
 * if it is not. An attempt counts for the quota as soon as a picture is to be made, since that takes time.
 */
export async function uploadEmoji(
  services: Uses,
  viewer: Viewer,
  givenName: string,
  received: readonly ReceivedFile[],
): Promise<void> {
  const name = parseEmojiName(givenName);
  checkNewEmoji(viewer, name);
  const [file, ...others] = received;
  if (!file || others.length > 0) throw new ApiError(errors.exactlyOneFile);
  const quotas = new Quotas(services.config);
  await changeContent(viewer, (tx) => quotas.use(tx, "custom emoji"));
  const { organizationId } = viewer.state;
  const picture = await storePictures(services.files, organizationId, {
    path: file.path,
    holder: holderOf(organizationId, viewer.user.id),
  });
  try {
    await changeState(viewer, (tx) => addEmoji(tx, name, picture));
  } catch (error) {
    if (!(await mayBeUsed(services, viewer, picture, error)))
      await deletePictures(services.files, organizationId, picture);
    throw error;
  }
}

/** A file without a row wastes a little space. A row without its file is a broken emoji. */
async function mayBeUsed(
  { database }: Uses,
  { state }: Viewer,
  { fileName }: EmojiPicture,
  error: unknown,
): Promise<boolean> {
  if (error instanceof OutcomeUnknown) return true;
  return isPictureUsed(database, state.organizationId, fileName).catch(() => true);
}
