import { ApiError, errors } from "../../api/errors.ts";
import { groupPermissions } from "../../api/groups/group-permissions.ts";
import type { UserId } from "../../api/ids.ts";
import { accessManagedUser } from "../people/access/access.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import { type Group, groups } from "./group.ts";
import { canDoInGroup, canManageGroup } from "./permissions.ts";

/** Everyone in the organization may know of every group, and of deactivated ones. */
export function accessGroup({ state }: Viewer, id: number): Group {
  const group = state.get(groups).find(id);
  if (!group) throw new ApiError(errors.invalidGroup);
  return group;
}

/** A group that the viewer may change in every way. */
export function accessManagedGroup(viewer: Viewer, id: number): Group {
  const group = accessGroup(viewer, id);
  if (!canManageGroup(viewer.state, viewer.user, group)) throw new ApiError(errors.insufficientPermission);
  return group;
}

/** The people and groups whose membership a request changes. */
export interface MembershipRequest {
  add: readonly number[];
  remove: readonly number[];
  addSubgroups: readonly number[];
  removeSubgroups: readonly number[];
}

/** A group, deactivated or not, whose members the viewer may change as requested. */
export function accessGroupForMembers(viewer: Viewer, id: number, request: MembershipRequest): Group {
  const group = accessGroup(viewer, id);
  if (group.systemCode !== null || !canChangeMembers(viewer, group, request))
    throw new ApiError(errors.insufficientPermission);
  return group;
}

function canChangeMembers({ state, user }: Viewer, group: Group, request: MembershipRequest): boolean {
  if (canManageGroup(state, user, group)) return true;
  const may = (permission: typeof groupPermissions.canJoin) => canDoInGroup(state, user, group, permission);
  const isOnlySelf = (ids: readonly number[]) => ids.every((id) => id === user.id);
  const { canAddMembers, canJoin, canLeave, canRemoveMembers } = groupPermissions;
  const { add, remove, addSubgroups, removeSubgroups } = request;
  const needsAdding = addSubgroups.length > 0 || !(isOnlySelf(add) && (add.length === 0 || may(canJoin)));
  const needsRemoving =
    removeSubgroups.length > 0 || !(isOnlySelf(remove) && (remove.length === 0 || may(canLeave)));
  return (!needsAdding || may(canAddMembers)) && (!needsRemoving || may(canRemoveMembers));
}

/** Whether a request only has the viewer join or leave, as the group allows the people that it names. */
export function isOwnMembership({ state, user }: Viewer, group: Group, request: MembershipRequest): boolean {
  const { add, remove, addSubgroups, removeSubgroups } = request;
  const isOnlySelf = [...add, ...remove].every((id) => id === user.id);
  if (!isOnlySelf || addSubgroups.length > 0 || removeSubgroups.length > 0) return false;
  const may = (permission: typeof groupPermissions.canJoin) => canDoInGroup(state, user, group, permission);
  const { canJoin, canLeave } = groupPermissions;
  return (add.length === 0 || may(canJoin)) && (remove.length === 0 || may(canLeave));
}

/** An active group that the viewer may add other people to. */
export function accessGroupToAddTo(viewer: Viewer, id: number): Group {
  const group = accessGroup(viewer, id);
  if (!canAddToGroup(viewer, group)) throw new ApiError(errors.insufficientPermission);
  if (!group.isActive) throw new ApiError(errors.groupDeactivated);
  return group;
}

/** Whether the viewer may add other people to a group, deactivated or not. */
export function canAddToGroup({ state, user }: Viewer, group: Group): boolean {
  if (group.systemCode !== null) return false;
  return (
    canManageGroup(state, user, group) || canDoInGroup(state, user, group, groupPermissions.canAddMembers)
  );
}

/** People and bots who can be put into a group, each once. */
export function accessNewMembers(viewer: Viewer, ids: readonly number[]): UserId[] {
  return [...new Set(ids)].map((id) => {
    const user = accessManagedUser(viewer, id);
    if (!user.isActive) throw new ApiError(errors.noSuchUser);
    return user.id;
  });
}

/** Groups that can be subgroups, each once. */
export function accessNewSubgroups(viewer: Viewer, ids: readonly number[]): Group[] {
  return [...new Set(ids)].map((id) => {
    const group = accessGroup(viewer, id);
    if (!group.isActive) throw new ApiError(errors.groupDeactivated);
    return group;
  });
}
