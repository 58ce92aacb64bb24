/**
 * Making and changing the sets of channels that people can choose from when they join. Only
 * administrators may. Everyone but guests gets events.
 */

import { ApiError, errors } from "../../../api/errors.ts";
import { unprintableAt } from "../../../api/fields.ts";
import { normalizeName } from "../../../api/hidden-characters.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../../../api/limits.ts";
import { findAlike } from "../../../api/name-likeness.ts";
import { type AuditChanges, changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { accessChannelsByName } from "../access.ts";
import type { Channel } from "../channel.ts";
import { parseDescription } from "../names.ts";
import { announceDefaultGroups, defaultGroups } from "./default-groups.ts";
import {
  type DefaultGroup,
  deleteDefaultGroup,
  deleteDefaultGroupChannels,
  insertDefaultGroup,
  insertDefaultGroupChannels,
  updateDefaultGroup,
} from "./store.ts";

export async function createDefaultGroup(
  tx: ViewerChange,
  request: { name: string; description: string; channelNames: readonly string[] },
): Promise<DefaultGroup> {
  checkAdministrator(tx.viewer);
  const name = parseName(request.name);
  checkNameIsFree(tx.state, name);
  const group = await insertDefaultGroup(tx, tx.state.organizationId, {
    name,
    description: parseDescription(request.description, MAX_CHANNEL_DESCRIPTION_LENGTH),
    channelIds: sortedIds(accessOfferable(tx.viewer, request.channelNames)),
  });
  if (!group) throw new ApiError(errors.defaultGroupNameTaken, { name });
  announceDefaultGroups(tx, { put: [group] });
  const changes = changesBetween({}, auditedParts(group));
  await recordAudit(tx, { action: "default_channel_group_created", targetId: group.id, changes });
  return group;
}

export async function renameDefaultGroup(
  tx: ViewerChange,
  id: number,
  request: { name: string | undefined; description: string | undefined },
): Promise<void> {
  checkAdministrator(tx.viewer);
  const before = accessDefaultGroup(tx.state, id);
  const { name, description } = request;
  if (name === undefined && description === undefined) {
    throw new ApiError(errors.nothingToChangeInDefaultGroup);
  }
  const after = { ...before };
  if (name !== undefined && name !== before.name) {
    after.name = parseName(name);
    checkNameIsFree(tx.state, after.name, before);
  }
  if (description !== undefined) {
    after.description = parseDescription(description, MAX_CHANNEL_DESCRIPTION_LENGTH);
  }
  if (!(await updateDefaultGroup(tx, tx.state.organizationId, after))) {
    throw new ApiError(errors.defaultGroupNameTaken, { name: after.name });
  }
  announceDefaultGroups(tx, { put: [after] });
  await recordUpdate(tx, id, changesBetween(auditedParts(before), auditedParts(after)));
}

export async function removeDefaultGroup(tx: ViewerChange, id: number): Promise<void> {
  checkAdministrator(tx.viewer);
  const group = accessDefaultGroup(tx.state, id);
  await deleteDefaultGroup(tx, tx.state.organizationId, group.id);
  announceDefaultGroups(tx, { remove: [group.id] });
  const changes = changesBetween(auditedParts(group), {});
  await recordAudit(tx, { action: "default_channel_group_removed", targetId: group.id, changes });
}

export async function addToDefaultGroup(
  tx: ViewerChange,
  id: number,
  channelNames: readonly string[],
): Promise<void> {
  checkAdministrator(tx.viewer);
  const group = accessDefaultGroup(tx.state, id);
  const added = accessOfferable(tx.viewer, channelNames);
  const present = added.find((channel) => group.channelIds.includes(channel.id));
  if (present) {
    throw new ApiError(errors.channelInDefaultGroup, { channel: present.name, group: group.name });
  }
  const ids = sortedIds(added);
  await insertDefaultGroupChannels(tx, tx.state.organizationId, group.id, ids);
  const channelIds = [...group.channelIds, ...ids].sort((a, b) => a - b);
  announceDefaultGroups(tx, { put: [{ ...group, channelIds }] });
  await recordUpdate(tx, id, changesBetween({}, { stream_ids: ids }));
}

export async function removeFromDefaultGroup(
  tx: ViewerChange,
  id: number,
  channelNames: readonly string[],
): Promise<void> {
  checkAdministrator(tx.viewer);
  const group = accessDefaultGroup(tx.state, id);
  const removed = accessChannelsByName(tx.viewer, channelNames);
  const absent = removed.find((channel) => !group.channelIds.includes(channel.id));
  if (absent) {
    throw new ApiError(errors.channelNotInDefaultGroup, { channel: absent.name, group: group.name });
  }
  const ids = sortedIds(removed);
  await deleteDefaultGroupChannels(tx, tx.state.organizationId, group.id, ids);
  const channelIds = group.channelIds.filter((channelId) => !ids.includes(channelId));
  announceDefaultGroups(tx, { put: [{ ...group, channelIds }] });
  await recordUpdate(tx, id, changesBetween({ stream_ids: ids }, {}));
}

async function recordUpdate(tx: ViewerChange, targetId: number, changes: AuditChanges): Promise<void> {
  await recordAudit(tx, { action: "default_channel_group_updated", targetId, changes });
}

function auditedParts({ name, description, channelIds }: DefaultGroup) {
  return { name, description, stream_ids: channelIds };
}

function accessDefaultGroup(state: OrganizationState, id: number): DefaultGroup {
  const group = state.get(defaultGroups).get(id);
  if (!group) throw new ApiError(errors.noDefaultGroup, { id });
  return group;
}

/** Channels that can be offered to new people: everyone may join them, and they are not default channels. */
function accessOfferable(viewer: Viewer, channelNames: readonly string[]): Channel[] {
  const named = accessChannelsByName(viewer, channelNames);
  for (const { name, isPrivate, isArchived, isDefault } of named) {
    if (isPrivate) throw new ApiError(errors.privateDefaultChannel);
    if (isArchived) throw new ApiError(errors.archivedDefaultChannel);
    if (isDefault) throw new ApiError(errors.channelIsDefault, { name });
  }
  return named;
}

function checkNameIsFree(state: OrganizationState, name: string, self?: DefaultGroup): void {
  const others = [...state.get(defaultGroups).values()].filter(({ id }) => id !== self?.id);
  if (findAlike(others, name)) throw new ApiError(errors.defaultGroupNameTaken, { name });
}

function parseName(text: string): string {
  const name = normalizeName(text);
  const { length } = [...name];
  if (length === 0 || length > MAX_CHANNEL_NAME_LENGTH || unprintableAt(name) !== undefined) {
    throw new ApiError(errors.defaultGroupName, { limit: MAX_CHANNEL_NAME_LENGTH });
  }
  return name;
}

function sortedIds(named: readonly Channel[]): Channel["id"][] {
  return named.map(({ id }) => id).sort((a, b) => a - b);
}
