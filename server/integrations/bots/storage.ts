/** Texts that a bot's program keeps on the server. Only the bot itself reads them. */
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_BOT_STORAGE_KEYS, MAX_BOT_STORAGE_LENGTH } from "../../../api/limits.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { checkBot } from "./access.ts";
import { deleteStored, findStoredSize, listStored, upsertStored } from "./storage-store.ts";

/** The viewer's texts by key: those of the given keys, or all. Throws `onlyForBots` and `noStorageKey`. */
export async function readStorage(
  viewer: Viewer,
  keys: readonly string[] | undefined,
): Promise<Record<string, string>> {
  checkBot(viewer);
  const { state, user } = viewer;
  const rows = await listStored(state.database, state.organizationId, user.id, keys);
  checkFound(keys, rows.length);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Stores texts of the viewer. Throws `onlyForBots` and `botStorageFull`. */
export async function writeStorage(tx: ViewerChange, texts: Readonly<Record<string, string>>): Promise<void> {
  checkBot(tx.viewer);
  const { id } = tx.viewer.user;
  await lockOwnLists(tx, id);
  await upsertStored(tx, tx.state.organizationId, id, texts);
  const { keys, length } = await findStoredSize(tx, tx.state.organizationId, id);
  if (keys > MAX_BOT_STORAGE_KEYS || length > MAX_BOT_STORAGE_LENGTH)
    throw new ApiError(errors.botStorageFull);
}

/** Deletes texts of the viewer: those of the given keys, or all. Throws `onlyForBots` and `noStorageKey`. */
export async function removeStorage(tx: ViewerChange, keys: readonly string[] | undefined): Promise<void> {
  checkBot(tx.viewer);
  const { id } = tx.viewer.user;
  await lockOwnLists(tx, id);
  checkFound(keys, (await deleteStored(tx, tx.state.organizationId, id, keys)).length);
}

function checkFound(keys: readonly string[] | undefined, found: number): void {
  if (keys && found < new Set(keys).size) throw new ApiError(errors.noStorageKey);
}
