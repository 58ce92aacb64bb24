/** The events on groups that several verbs and hooks append, each made in one place. */
import {
  groupMembersAdded,
  groupMembersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
} from "../../api/events/groups.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import type { Change } from "../platform/log/change.ts";
import type { Audience, StatePatch } from "../platform/log/log-entry.ts";
import { toClientsThatKnow } from "./audiences.ts";
import { type StoredGroupUpdate, storedGroupUpdate } from "./event-serializer.ts";
import { type Group, groups } from "./group.ts";

export function appendMembersAdded(
  tx: Change,
  groupId: GroupId,
  userIds: readonly UserId[],
  ...patches: readonly StatePatch[]
): void {
  appendMembersAddedTo(toClientsThatKnow(groupOf(tx, groupId)), tx, groupId, userIds, ...patches);
}

/** The same for an audience that gets to know these members. */
export function appendMembersAddedTo(
  audience: Audience,
  tx: Change,
  groupId: GroupId,
  userIds: readonly UserId[],
  ...patches: readonly StatePatch[]
): void {
  tx.append(groupMembersAdded, { group_id: groupId, user_ids: [...userIds] }, audience, ...patches);
}

export function appendMembersRemoved(
  tx: Change,
  groupId: GroupId,
  userIds: readonly UserId[],
  ...patches: readonly StatePatch[]
): void {
  appendMembersRemovedTo(toClientsThatKnow(groupOf(tx, groupId)), tx, groupId, userIds, ...patches);
}

/** The same for an audience that may no longer know of these members. */
export function appendMembersRemovedTo(
  audience: Audience,
  tx: Change,
  groupId: GroupId,
  userIds: readonly UserId[],
  ...patches: readonly StatePatch[]
): void {
  tx.append(groupMembersRemoved, { group_id: groupId, user_ids: [...userIds] }, audience, ...patches);
}

export function appendSubgroupsAdded(
  tx: Change,
  groupId: GroupId,
  subgroupIds: readonly GroupId[],
  ...patches: readonly StatePatch[]
): void {
  const fields = { group_id: groupId, direct_subgroup_ids: [...subgroupIds] };
  tx.append(subgroupsAdded, fields, toClientsThatKnow(groupOf(tx, groupId)), ...patches);
}

export function appendSubgroupsRemoved(
  tx: Change,
  groupId: GroupId,
  subgroupIds: readonly GroupId[],
  ...patches: readonly StatePatch[]
): void {
  const fields = { group_id: groupId, direct_subgroup_ids: [...subgroupIds] };
  tx.append(subgroupsRemoved, fields, toClientsThatKnow(groupOf(tx, groupId)), ...patches);
}

/** `group`: as it is while clients still have to know it: before a deactivation, and after a reactivation. */
export function appendGroupUpdated(
  tx: Change,
  group: Group,
  change: Omit<StoredGroupUpdate, "group_id">,
  ...patches: readonly StatePatch[]
): void {
  tx.append(storedGroupUpdate, { group_id: group.id, ...change }, toClientsThatKnow(group), ...patches);
}

function groupOf({ state }: Change, groupId: GroupId): Group | undefined {
  return state.get(groups).byId.get(groupId);
}
