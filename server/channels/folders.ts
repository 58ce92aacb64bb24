import { ApiError, errors } from "../../api/errors.ts";
import type { FolderId } from "../../api/ids.ts";
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from "../../api/limits.ts";
import type { Queryable } from "../db/database.ts";
import { everyone } from "../events/entry.ts";
import type { Live } from "../events/live.ts";
import type { Change } from "../events/transaction.ts";
import type { Viewer } from "../viewer.ts";
import { renderDescription } from "./description.ts";
import { parseDescription } from "./names.ts";
import { presentFolder } from "./present.ts";
import { type Folder, insertFolder, listFolders } from "./store.ts";

/** Adds a folder for channels, behind the others; everyone hears of it. A name is used by one folder in use at a time. */
export async function createChannelFolder(
  tx: Change,
  viewer: Viewer,
  request: { name: string; description?: string },
): Promise<Folder> {
  const name = request.name.trim();
  if (name === "") throw new ApiError(errors.emptyFolderName);
  if ([...name].length > MAX_FOLDER_NAME_LENGTH) {
    throw new ApiError(errors.tooLong, { name: "name", limit: MAX_FOLDER_NAME_LENGTH });
  }
  const all = await listFolders(tx, tx.live.organizationId);
  if (all.some((folder) => !folder.archivedAt && folder.name.toLowerCase() === name.toLowerCase())) {
    throw new ApiError(errors.folderNameTaken);
  }
  const description = parseDescription(request.description ?? "", MAX_FOLDER_DESCRIPTION_LENGTH);
  const folder = await insertFolder(tx, tx.live.organizationId, {
    name,
    description,
    renderedDescription: renderDescription(description),
    creatorId: viewer.user.id,
  });
  tx.append({ type: "channel_folder", op: "add", channel_folder: presentFolder(folder) }, everyone);
  return folder;
}

/** The folder in use with this id, as a place for a channel; else "Invalid channel folder ID". */
export async function accessFolder(tx: Queryable, live: Live, id: number): Promise<FolderId> {
  const folder = (await listFolders(tx, live.organizationId)).find((each) => each.id === id);
  if (!folder || folder.archivedAt) throw new ApiError(errors.invalidFolder);
  return folder.id;
}
