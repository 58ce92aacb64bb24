import { type GroupPermission, groupPermissionList } from "../../api/group-permissions.ts";
import type { UserId } from "../../api/ids.ts";
import type { Live } from "../events/live.ts";
import { roles, users } from "../users/user.ts";
import { type Group, type GroupValue, groups, isFullMember, systemGroups } from "./group.ts";

/** All groups by id, as everyone sees them: in `realm_user_groups` and `GET /user_groups`. */
export function presentGroups(live: Live, { includeDeactivated }: { includeDeactivated: boolean }) {
  const byRole = membersOfSystemGroups(live);
  return [...live.get(groups).all()]
    .filter((group) => includeDeactivated || group.isActive)
    .sort((a, b) => a.id - b.id)
    .map((group) => presentGroup(live, group, byRole));
}

function presentGroup(
  live: Live,
  group: Group,
  byRole: ReadonlyMap<number, readonly UserId[]>,
): Record<string, unknown> {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    date_created: group.createdAt,
    creator_id: group.creatorId,
    members: group.systemCode === null ? activeMembers(live, group) : (byRole.get(group.systemCode) ?? []),
    direct_subgroup_ids: group.subgroupIds,
    is_system_group: group.systemCode !== null,
    deactivated: !group.isActive,
    ...Object.fromEntries(
      groupPermissionList.map((permission) => [permission.name, groupPermissionOf(live, group, permission)]),
    ),
  };
}

function groupPermissionOf(live: Live, group: Group, permission: GroupPermission): GroupValue {
  const all = live.get(groups);
  if (group.systemCode !== null) return all.system("nobody").id;
  const chosen = group.settings[permission.name];
  if (chosen !== undefined) return chosen;
  if (permission.defaultGroup !== "creator") return all.system(permission.defaultGroup).id;
  if (group.creatorId === null) return all.system("nobody").id;
  return { direct_members: [group.creatorId], direct_subgroups: [] };
}

function activeMembers(live: Live, group: Group): UserId[] {
  const { byId } = live.get(users);
  return group.memberIds.filter((id) => byId.get(id)?.isActive);
}

/** COMPAT: a system group lists the people of its own role; those above come in by its subgroup. */
function membersOfSystemGroups(live: Live): Map<number, UserId[]> {
  const byRole = new Map<number, UserId[]>(Object.values(systemGroups).map(({ code }) => [code, []]));
  for (const user of live.get(users).all()) {
    if (!user.isActive) continue;
    byRole.get(user.role)?.push(user.id);
    if (user.role === roles.member && isFullMember(live, user))
      byRole.get(systemGroups.fullMembers.code)?.push(user.id);
  }
  return byRole;
}
