import { organizationPermissions } from "../../api/administration/organization-permissions.ts";
import {
  type GroupPermission,
  groupPermissionList,
  groupPermissions,
} from "../../api/groups/group-permissions.ts";
import { roles } from "../../api/roles.ts";
import type { User } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Group, type GroupValue, groups, isInGroupValue } from "./group.ts";
import { canDo } from "./group-setting.ts";
import { parseGroupValue } from "./group-value.ts";

/** The value of a permission in a group: the group's own value, or the default. */
export function groupPermissionOf(
  state: OrganizationState,
  group: Group,
  permission: GroupPermission,
): GroupValue {
  const all = state.get(groups);
  if (group.systemCode !== null) return all.system("nobody").id;
  const chosen = group.settings[permission.name];
  if (chosen !== undefined) return chosen;
  if (permission.defaultGroup !== "creator") return all.system(permission.defaultGroup).id;
  if (group.creatorId === null) return all.system("nobody").id;
  return { direct_members: [group.creatorId], direct_subgroups: [] };
}

/** Guests have only the permissions that `everyone` may have, even if their groups have others. */
export function canDoInGroup(
  state: OrganizationState,
  user: User,
  group: Group,
  permission: GroupPermission,
): boolean {
  if (user.role >= roles.guest && !permission.allowsEveryone) return false;
  return isInGroupValue(state, groupPermissionOf(state, group, permission), user);
}

/** Whether the user may change the group in every way. Nobody may change system groups. */
export function canManageGroup(state: OrganizationState, user: User, group: Group): boolean {
  if (group.systemCode !== null) return false;
  return (
    canDo(state, organizationPermissions.canManageAllGroups, user) ||
    canDoInGroup(state, user, group, groupPermissions.canManage)
  );
}

/**
 * The permissions for a new group among a request's parameters, by their wire names. Throws for a group
 * that is not allowed.
 */
export function parseGroupPermissions(
  state: OrganizationState,
  given: (permission: GroupPermission) => GroupValue | undefined,
): Record<string, GroupValue> {
  const chosen: Record<string, GroupValue> = {};
  for (const permission of groupPermissionList) {
    const value = given(permission);
    if (value !== undefined) chosen[permission.name] = parseGroupValue(state, permission, value);
  }
  return chosen;
}
