import { ApiError, errors } from "../../api/errors.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import { changesBetween } from "../organization/audit-log/changes.ts";
import { recordAudit } from "../organization/audit-log/record.ts";
import { users } from "../people/user.ts";
import type { ViewerChange } from "../people/viewer/change.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { patchOf } from "../platform/log/projection.ts";
import {
  accessGroupForMembers,
  accessNewMembers,
  accessNewSubgroups,
  isOwnMembership,
  type MembershipRequest,
} from "./access.ts";
import {
  appendMembersAdded,
  appendMembersRemoved,
  appendSubgroupsAdded,
  appendSubgroupsRemoved,
} from "./events.ts";
import { type Group, type GroupChange, groups } from "./group.ts";
import { deleteMembers, deleteSubgroups, insertMembers, insertSubgroups } from "./store.ts";

/**
 * Adds people and groups to a group and removes others, all of them or none. Everyone gets events. Throws
 * when a person or group to add is in it already, or one to remove is not. Also throws for a subgroup
 * that contains the group.
 */
export async function changeMembers(
  tx: ViewerChange,
  groupId: number,
  request: MembershipRequest,
): Promise<void> {
  const { state, viewer } = tx;
  if (Object.values(request).every((ids) => ids.length === 0)) throw new ApiError(errors.noMembersGiven);
  const group = accessGroupForMembers(viewer, groupId, request);
  const added = accessNewMembers(viewer, request.add);
  const removed = accessMembers(state, group, request.remove);
  const addedSubgroups = accessNewSubgroups(viewer, request.addSubgroups).map(({ id }) => id);
  const removedSubgroups = accessSubgroups(group, request.removeSubgroups);
  const known = added.find((id) => state.get(groups).hasDirectMember(group.id, id));
  if (known !== undefined) throw new ApiError(errors.alreadyMember, { id: known });
  checkNewSubgroups(state, group, addedSubgroups);
  await insertMembers(tx, state.organizationId, group.id, added);
  await deleteMembers(tx, state.organizationId, group.id, removed);
  await insertSubgroups(tx, state.organizationId, group.id, addedSubgroups);
  await deleteSubgroups(tx, state.organizationId, group.id, removedSubgroups);
  const { id } = group;
  const patch = (change: Omit<GroupChange, "id">) => patchOf(groups, { change: [{ id, ...change }] });
  if (added.length > 0) appendMembersAdded(tx, id, added, patch({ added }));
  if (removed.length > 0) appendMembersRemoved(tx, id, removed, patch({ removed }));
  if (addedSubgroups.length > 0) appendSubgroupsAdded(tx, id, addedSubgroups, patch({ addedSubgroups }));
  if (removedSubgroups.length > 0) {
    appendSubgroupsRemoved(tx, id, removedSubgroups, patch({ removedSubgroups }));
  }
  if (isOwnMembership(viewer, group, request)) return;
  const changes = changesBetween(
    { members: unlessEmpty(removed), subgroups: unlessEmpty(removedSubgroups) },
    { members: unlessEmpty(added), subgroups: unlessEmpty(addedSubgroups) },
  );
  await recordAudit(tx, { action: "group_members_changed", targetId: id, changes });
}

/** Adds a person to groups in the change that makes the account. The caller checks permission. */
export async function addNewcomer(tx: ViewerChange, userId: UserId, joined: readonly Group[]): Promise<void> {
  for (const { id } of joined) {
    await insertMembers(tx, tx.state.organizationId, id, [userId]);
    appendMembersAdded(tx, id, [userId], patchOf(groups, { change: [{ id, added: [userId] }] }));
    const changes = changesBetween({}, { members: [userId] });
    await recordAudit(tx, { action: "group_members_changed", targetId: id, changes });
  }
}

function unlessEmpty(ids: readonly number[]): readonly number[] | undefined {
  return ids.length > 0 ? ids : undefined;
}

/** A deactivated account is in no group until it is reactivated. */
function accessMembers(state: OrganizationState, group: Group, ids: readonly number[]): UserId[] {
  const all = state.get(groups);
  const { byId } = state.get(users);
  return [...new Set(ids as readonly UserId[])].map((id) => {
    if (!all.hasDirectMember(group.id, id) || !byId.get(id)?.isActive) {
      throw new ApiError(errors.notMember, { id });
    }
    return id;
  });
}

function accessSubgroups(group: Group, ids: readonly number[]): GroupId[] {
  return [...new Set(ids)].map((id) => {
    const found = group.subgroupIds.find((subgroupId) => subgroupId === id);
    if (found === undefined) throw new ApiError(errors.notSubgroup, { id });
    return found;
  });
}

function checkNewSubgroups(state: OrganizationState, group: Group, subgroupIds: readonly GroupId[]): void {
  // A chain through a group that is deactivated now must not become a cycle either.
  const containing = groupsContaining(state, group.id);
  for (const id of subgroupIds) {
    if (group.subgroupIds.includes(id)) throw new ApiError(errors.alreadySubgroup, { id });
    if (containing.has(id)) throw new ApiError(errors.subgroupCycle, { id });
  }
}

function groupsContaining(state: OrganizationState, id: GroupId): Set<GroupId> {
  const all = [...state.get(groups).all()];
  const found = new Set([id]);
  for (const each of found) {
    for (const group of all) if (group.subgroupIds.includes(each)) found.add(group.id);
  }
  return found;
}
