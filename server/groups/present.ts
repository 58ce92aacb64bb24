import { groupPermissionList } from "../../api/groups/group-permissions.ts";
import type { GroupRecord } from "../../api/groups/groups.ts";
import type { UserId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import { canAccessUserId, isLimitedGuest } from "../people/access/user-access.ts";
import { type User, users } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Group, groups, isFullMember, systemGroups } from "./group.ts";
import { withoutInactive } from "./group-value.ts";
import { groupPermissionOf } from "./permissions.ts";

/** All groups by id, as everyone sees them: in `realm_user_groups` and `GET /user_groups`. */
export function presentGroups(
  state: OrganizationState,
  { includeDeactivated, isAnonymous = false }: { includeDeactivated: boolean; isAnonymous?: boolean },
): GroupRecord[] {
  const byRole = membersOfSystemGroups(state);
  return [...state.get(groups).all()]
    .filter((group) => includeDeactivated || group.isActive)
    .sort((a, b) => a.id - b.id)
    .map((group) => present(state, group, byRole))
    .map((group) => (isAnonymous ? withoutPeople(group) : group));
}

/** The groups with those of their members alone of whom the reader may know. */
export function presentGroupsTo(
  state: OrganizationState,
  reader: User,
  { includeDeactivated }: { includeDeactivated: boolean },
): GroupRecord[] {
  const all = presentGroups(state, { includeDeactivated });
  if (!isLimitedGuest(state, reader)) return all;
  return all.map((group) => ({
    ...group,
    members: group.members.filter((id) => canAccessUserId(state, reader, id)),
  }));
}

/** One group, as everyone sees it. */
export function presentGroup(state: OrganizationState, group: Group): GroupRecord {
  return present(state, group, membersOfSystemGroups(state));
}

/** IDs of the active accounts that are direct members of a group. */
export function directMemberIds(state: OrganizationState, group: Group): readonly UserId[] {
  return group.systemCode === null
    ? activeMembers(state, group)
    : (membersOfSystemGroups(state).get(group.systemCode) ?? []);
}

function present(state: OrganizationState, group: Group, byRole: ReadonlyMap<number, UserId[]>): GroupRecord {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    date_created: group.createdAt,
    creator_id: group.creatorId,
    members: group.systemCode === null ? activeMembers(state, group) : (byRole.get(group.systemCode) ?? []),
    direct_subgroup_ids: [...group.subgroupIds],
    is_system_group: group.systemCode !== null,
    deactivated: !group.isActive,
    ...Object.fromEntries(
      groupPermissionList.map((permission) => [
        permission.name,
        withoutInactive(state, groupPermissionOf(state, group, permission)),
      ]),
    ),
  };
}

/**
 * The record without people. A permission of unnamed people keeps that form, with an empty list of
 * members.
 */
function withoutPeople(group: GroupRecord): GroupRecord {
  const permissions = Object.entries(group).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && "direct_members" in value
      ? [[name, { ...value, direct_members: [] }]]
      : [],
  );
  return { ...group, ...Object.fromEntries(permissions), creator_id: null, members: [] };
}

function activeMembers(state: OrganizationState, group: Group): UserId[] {
  const { byId } = state.get(users);
  return group.memberIds.filter((id) => byId.get(id)?.isActive);
}

/** COMPAT: a system group lists the people of its own role. People of higher roles are in its subgroup. */
function membersOfSystemGroups(state: OrganizationState): Map<number, UserId[]> {
  const byRole = new Map<number, UserId[]>(Object.values(systemGroups).map(({ code }) => [code, []]));
  for (const user of state.get(users).all()) {
    if (!user.isActive) continue;
    byRole.get(user.role)?.push(user.id);
    if (user.role === roles.member && isFullMember(state, user))
      byRole.get(systemGroups.fullMembers.code)?.push(user.id);
  }
  return byRole;
}
