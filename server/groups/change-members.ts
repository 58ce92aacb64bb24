import { ApiError, errors } from "../../api/errors.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import { everyone } from "../events/entry.ts";
import type { Live } from "../events/live.ts";
import type { Change } from "../events/transaction.ts";
import { users } from "../users/user.ts";
import type { Viewer } from "../viewer.ts";
import {
  accessGroupForMembers,
  accessNewMembers,
  accessNewSubgroups,
  type MembershipRequest,
} from "./access.ts";
import { type Group, type GroupChange, groups } from "./group.ts";
import { deleteMembers, deleteSubgroups, insertMembers, insertSubgroups } from "./store.ts";

/**
 * Puts people and groups into a group and takes others out, all of them or none; everyone hears of it. Refuses whom it
 * would put in twice or take out in vain, and a subgroup that contains the group.
 */
export async function changeMembers(
  tx: Change,
  viewer: Viewer,
  groupId: number,
  request: MembershipRequest,
): Promise<void> {
  const { live } = tx;
  if (Object.values(request).every((ids) => ids.length === 0)) throw new ApiError(errors.noMembersGiven);
  const group = accessGroupForMembers(viewer, groupId, request);
  const added = accessNewMembers(live, request.add);
  const removed = accessMembers(group, request.remove);
  const addedSubgroups = accessNewSubgroups(viewer, request.addSubgroups).map(({ id }) => id);
  const removedSubgroups = accessSubgroups(group, request.removeSubgroups);
  const known = added.find((id) => group.memberIds.includes(id));
  if (known !== undefined) throw new ApiError(errors.alreadyMember, { id: known });
  checkNewSubgroups(live, group, addedSubgroups);
  await insertMembers(tx, live.organizationId, group.id, added);
  await deleteMembers(tx, live.organizationId, group.id, removed);
  await insertSubgroups(tx, live.organizationId, group.id, addedSubgroups);
  await deleteSubgroups(tx, live.organizationId, group.id, removedSubgroups);
  announceMembers(tx, "add_members", { id: group.id, added });
  announceMembers(tx, "remove_members", { id: group.id, removed });
  announceSubgroups(tx, "add_subgroups", { id: group.id, addedSubgroups });
  announceSubgroups(tx, "remove_subgroups", { id: group.id, removedSubgroups });
}

/** Deactivated accounts too: they are not shown, but would be back with the account. */
function accessMembers(group: Group, ids: readonly number[]): UserId[] {
  return [...new Set(ids)].map((id) => {
    const found = group.memberIds.find((memberId) => memberId === id);
    if (found === undefined) throw new ApiError(errors.notMember, { id });
    return found;
  });
}

function accessSubgroups(group: Group, ids: readonly number[]): GroupId[] {
  return [...new Set(ids)].map((id) => {
    const found = group.subgroupIds.find((subgroupId) => subgroupId === id);
    if (found === undefined) throw new ApiError(errors.notSubgroup, { id });
    return found;
  });
}

function checkNewSubgroups(live: Live, group: Group, subgroupIds: readonly GroupId[]): void {
  // Of a chain through a group that is deactivated at the moment no circle may come either.
  const containing = groupsContaining(live, group.id);
  for (const id of subgroupIds) {
    if (group.subgroupIds.includes(id)) throw new ApiError(errors.alreadySubgroup, { id });
    if (containing.has(id)) throw new ApiError(errors.subgroupCycle, { id });
  }
}

function groupsContaining(live: Live, id: GroupId): Set<GroupId> {
  const all = [...live.get(groups).all()];
  const found = new Set([id]);
  for (const each of found) {
    for (const group of all) if (group.subgroupIds.includes(each)) found.add(group.id);
  }
  return found;
}

function announceMembers(tx: Change, op: string, change: GroupChange): void {
  const ids = change.added ?? change.removed ?? [];
  if (ids.length === 0) return;
  const { byId } = tx.live.get(users);
  const user_ids = ids.filter((id) => byId.get(id)?.isActive);
  tx.append({ type: "user_group", op, group_id: change.id, user_ids }, everyone, {
    groups: { change: [change] },
  });
}

function announceSubgroups(tx: Change, op: string, change: GroupChange): void {
  const direct_subgroup_ids = change.addedSubgroups ?? change.removedSubgroups ?? [];
  if (direct_subgroup_ids.length === 0) return;
  tx.append({ type: "user_group", op, group_id: change.id, direct_subgroup_ids }, everyone, {
    groups: { change: [change] },
  });
}
