import { ApiError, errors } from "../../../api/errors.ts";
import type { FieldsOf } from "../../../api/event.ts";
import { folderAdded, foldersReordered, folderUpdated } from "../../../api/events/channel-folders.ts";
import { unprintableAt } from "../../../api/fields.ts";
import { normalizeName } from "../../../api/hidden-characters.ts";
import type { FolderId, OrganizationId } from "../../../api/ids.ts";
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from "../../../api/limits.ts";
import { likenessOf } from "../../../api/name-likeness.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { renderDescription } from "../../organization/description.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { channels } from "../channel.ts";
import { parseDescription } from "../names.ts";
import { presentFolder } from "./present.ts";
import { type Folder, insertFolder, listFolders, updateFolder, updateFolderOrder } from "./store.ts";

/**
 * Adds a folder after the others. Everyone gets an event. Throws for a name that another folder in use
 * has.
 */
export async function createChannelFolder(
  tx: ViewerChange,
  request: { name: string; description?: string },
): Promise<Folder> {
  checkAdministrator(tx.viewer);
  const name = parseFolderName(request.name);
  checkIsFree(await listFolders(tx, tx.state.organizationId), name);
  const description = parseDescription(request.description ?? "", MAX_FOLDER_DESCRIPTION_LENGTH);
  const folder = await insertFolder(tx, tx.state.organizationId, {
    name,
    description,
    renderedDescription: renderDescription(description),
    creatorId: tx.viewer.user.id,
  });
  tx.append(folderAdded, { channel_folder: presentFolder(folder) }, everyone);
  const changes = changesBetween({}, { name, description });
  await recordAudit(tx, { action: "channel_folder_created", targetId: folder.id, changes });
  return folder;
}

/** Changes the given fields of a folder, archived or not. Everyone gets an event with the changed fields. */
export async function updateChannelFolder(
  tx: ViewerChange,
  id: number,
  request: {
    name: string | undefined;
    description: string | undefined;
    isArchived: boolean | undefined;
  },
): Promise<void> {
  checkAdministrator(tx.viewer);
  const all = await listFolders(tx, tx.state.organizationId);
  const before = all.find((folder) => folder.id === id);
  if (!before) throw new ApiError(errors.invalidFolder);
  const after = { ...before };
  if (request.name !== undefined) after.name = parseFolderName(request.name);
  if (request.description !== undefined) {
    after.description = parseDescription(request.description, MAX_FOLDER_DESCRIPTION_LENGTH);
    after.renderedDescription = renderDescription(after.description);
  }
  const isArchived = request.isArchived ?? before.archivedAt !== null;
  after.archivedAt = isArchived ? (before.archivedAt ?? new Date()) : null;
  if (!before.archivedAt && isArchived && hasChannels(tx.state, before.id)) {
    throw new ApiError(errors.folderNotEmpty);
  }
  const needsName = after.name !== before.name || before.archivedAt !== null;
  if (!isArchived && needsName)
    checkIsFree(
      all.filter((folder) => folder.id !== id),
      after.name,
    );
  const data = differences(before, after);
  if (Object.keys(data).length === 0) return;
  await updateFolder(tx, tx.state.organizationId, after);
  tx.append(folderUpdated, { channel_folder_id: before.id, data }, everyone);
  const changes = changesBetween(auditedParts(before), auditedParts(after));
  await recordAudit(tx, { action: "channel_folder_updated", targetId: before.id, changes });
}

/** Reorders the folders. The order must name each of them once (spec E16). Everyone gets an event. */
export async function reorderChannelFolders(tx: ViewerChange, order: readonly number[]): Promise<void> {
  checkAdministrator(tx.viewer);
  const ids = (await listFolders(tx, tx.state.organizationId)).map((folder) => folder.id);
  const named = new Set(order);
  const isPermutation =
    order.length === ids.length && named.size === ids.length && ids.every((id) => named.has(id));
  if (!isPermutation) throw new ApiError(errors.invalidFolderOrder);
  if (ids.every((id, place) => id === order[place])) return;
  await updateFolderOrder(tx, tx.state.organizationId, order as readonly FolderId[]);
  tx.append(foldersReordered, { order: [...order] }, everyone);
  const changes = changesBetween({ order: ids }, { order });
  await recordAudit(tx, { action: "channel_folders_reordered", changes });
}

/** The names of all folders, archived ones too. */
export async function listFolderNames(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<Map<FolderId, string>> {
  return new Map((await listFolders(tx, organizationId)).map(({ id, name }) => [id, name]));
}

/** The folder in use with this id, as a place for a channel; else "Invalid channel folder ID". */
export async function accessFolder(tx: Queryable, state: OrganizationState, id: number): Promise<FolderId> {
  const folder = (await listFolders(tx, state.organizationId)).find((each) => each.id === id);
  if (!folder || folder.archivedAt) throw new ApiError(errors.invalidFolder);
  return folder.id;
}

function parseFolderName(text: string): string {
  const name = normalizeName(text);
  if (name === "") throw new ApiError(errors.emptyFolderName);
  if ([...name].length > MAX_FOLDER_NAME_LENGTH) {
    throw new ApiError(errors.tooLong, { name: "name", limit: MAX_FOLDER_NAME_LENGTH });
  }
  const position = unprintableAt(name);
  if (position !== undefined) throw new ApiError(errors.folderNameCharacter, { position });
  return name;
}

function checkIsFree(others: readonly Folder[], name: string): void {
  const isTaken = others.some((folder) => !folder.archivedAt && likenessOf(folder.name) === likenessOf(name));
  if (isTaken) throw new ApiError(errors.folderNameTaken);
}

/** Archived channels count too: they may be unarchived. */
function hasChannels(state: OrganizationState, id: FolderId): boolean {
  return [...state.get(channels).all()].some((channel) => channel.folderId === id);
}

function auditedParts({ name, description, archivedAt }: Folder) {
  return { name, description, is_archived: archivedAt !== null };
}

function differences(before: Folder, after: Folder): FieldsOf<typeof folderUpdated>["data"] {
  const isArchived = after.archivedAt !== null;
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && {
      description: after.description,
      rendered_description: after.renderedDescription,
    }),
    ...(isArchived !== (before.archivedAt !== null) && { is_archived: isArchived }),
  };
}
