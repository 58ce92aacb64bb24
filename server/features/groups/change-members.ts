import { ApiError, errors } from "../../../api/errors.ts";
import type { GroupId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type User, users } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";
import {
  accessGroupForMembers,
  accessNewMembers,
  accessNewSubgroups,
  type MembershipRequest,
} from "./access.ts";
import { type Group, type GroupChange, groups } from "./group.ts";
import type { GroupNotices } from "./notices.ts";
import { deleteMembers, deleteSubgroups, insertMembers, insertSubgroups } from "./store.ts";

/**
 * Puts people and groups into a group and takes others out, all of them or none; everyone hears of it, and the people are told. Refuses whom it
 * would put in twice or take out in vain, and a subgroup that contains the group.
 */
export async function changeMembers(
  tx: Change,
  viewer: Viewer,
  groupId: number,
  request: MembershipRequest,
  notices: GroupNotices,
): Promise<void> {
  const { state } = tx;
  if (Object.values(request).every((ids) => ids.length === 0)) throw new ApiError(errors.noMembersGiven);
  const group = accessGroupForMembers(viewer, groupId, request);
  const added = accessNewMembers(state, request.add);
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
  announceMembers(tx, "add_members", { id: group.id, added });
  announceMembers(tx, "remove_members", { id: group.id, removed });
  announceSubgroups(tx, "add_subgroups", { id: group.id, addedSubgroups });
  announceSubgroups(tx, "remove_subgroups", { id: group.id, removedSubgroups });
  await notices.membersChanged(tx, viewer, group, {
    added: people(state, added),
    removed: people(state, removed),
  });
}

function people(state: OrganizationState, ids: readonly UserId[]): User[] {
  return ids.flatMap((id) => state.get(users).byId.get(id) ?? []);
}

/** An account that is deactivated is in no group until it comes back. */
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
  // Of a chain through a group that is deactivated at the moment no circle may come either.
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

function announceMembers(tx: Change, op: string, change: GroupChange): void {
  const ids = change.added ?? change.removed ?? [];
  if (ids.length === 0) return;
  tx.appendRaw(
    { type: "user_group", op, group_id: change.id, user_ids: ids, ...dormancy(tx, change) },
    everyone,
    {
      groups: { change: [change] },
    },
  );
}

function announceSubgroups(tx: Change, op: string, change: GroupChange): void {
  const direct_subgroup_ids = change.addedSubgroups ?? change.removedSubgroups ?? [];
  if (direct_subgroup_ids.length === 0) return;
  tx.appendRaw(
    { type: "user_group", op, group_id: change.id, direct_subgroup_ids, ...dormancy(tx, change) },
    everyone,
    { groups: { change: [change] } },
  );
}

/** To many clients a group that is deactivated does not exist (see `delivery.ts`). */
function dormancy(tx: Change, { id }: GroupChange): { isDormant?: boolean } {
  return tx.state.get(groups).byId.get(id)?.isActive === false ? { isDormant: true } : {};
}
