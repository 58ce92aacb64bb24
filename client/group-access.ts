/** What the viewer may do with user groups, as the server will decide it, and where groups are used. */
import type { Group } from "./model/groups.ts";
import type { Model } from "./model/model.ts";
import type { GroupSetting } from "./model/wire.ts";
import { isGuest, may } from "./permissions.ts";

export function canCreateGroups(model: Model): boolean {
  return may(model, "can_create_groups");
}

export function canManageGroup(model: Model, group: Group): boolean {
  if (group.isSystem) return false;
  return may(model, "can_manage_all_groups") || isNamed(model, group, "canManageGroup");
}

export function canAddMembers(model: Model, group: Group): boolean {
  return canManageGroup(model, group) || isNamed(model, group, "canAddMembersGroup");
}

export function canRemoveMembers(model: Model, group: Group): boolean {
  return canManageGroup(model, group) || isNamed(model, group, "canRemoveMembersGroup");
}

export function canJoinGroup(model: Model, group: Group): boolean {
  return canAddMembers(model, group) || isNamed(model, group, "canJoinGroup");
}

export function canLeaveGroup(model: Model, group: Group): boolean {
  return canRemoveMembers(model, group) || isNamed(model, group, "canLeaveGroup");
}

/** By their ids. Permissions of archived channels and deactivated groups count too, as for the server. */
export interface GroupUses {
  /** How many permissions of the organization name the group. */
  ofOrganization: number;
  channelIds: number[];
  groupIds: number[];
  supergroupIds: number[];
}

/** Everything that keeps a group from being deactivated, as far as the viewer can see it. */
export function usesOf(model: Model, groupId: number): GroupUses {
  const names = (value: unknown) => isGroupValue(value) && namesGroup(value, groupId);
  const groups = [...model.groups.byId.values()];
  const supported = model.constants.server_supported_permission_settings as { realm?: object } | undefined;
  const permissions = supported?.realm ?? {};
  return {
    ofOrganization: Object.keys(permissions).filter((name) => names(model.organization.permission({ name })))
      .length,
    channelIds: [...model.channels.byId.values()]
      .filter((channel) =>
        Object.entries(channel).some(([key, value]) => /^can.*Group$/.test(key) && names(value)),
      )
      .map(({ id }) => id),
    groupIds: groups.filter(({ settings }) => Object.values(settings).some(names)).map(({ id }) => id),
    supergroupIds: groups.filter(({ subgroupIds }) => subgroupIds.has(groupId)).map(({ id }) => id),
  };
}

export function isUsed({ ofOrganization, channelIds, groupIds, supergroupIds }: GroupUses): boolean {
  return ofOrganization + channelIds.length + groupIds.length + supergroupIds.length > 0;
}

/** Groups that may become subgroups: active ones that don't contain the group themselves. */
export function possibleSubgroups(model: Model, groupId: number): Group[] {
  return [...model.groups.byId.values()].filter(
    (group) => !group.isDeactivated && group.id !== groupId && !contains(model, group.id, groupId),
  );
}

function contains(model: Model, groupId: number, otherId: number, seen = new Set<number>()): boolean {
  if (seen.has(groupId)) return false;
  seen.add(groupId);
  const subgroups = [...(model.groups.byId.get(groupId)?.subgroupIds ?? [])];
  return subgroups.some((id) => id === otherId || contains(model, id, otherId, seen));
}

/** The people of a group, directly or through subgroups. */
export function membersOf(model: Model, groupId: number, seen = new Set<number>()): Set<number> {
  const group = model.groups.byId.get(groupId);
  if (!group || seen.has(groupId)) return new Set();
  seen.add(groupId);
  const members = new Set(group.memberIds);
  for (const id of group.subgroupIds) for (const member of membersOf(model, id, seen)) members.add(member);
  return members;
}

/** Guests have those of a group's permissions that everyone can be given. */
const forGuestsToo = new Set(["canLeaveGroup", "canMentionGroup"]);

function isNamed(model: Model, group: Group, permission: string): boolean {
  const value = group.settings[permission];
  if (group.isSystem || value === undefined) return false;
  if (isGuest(model) && !forGuestsToo.has(permission)) return false;
  return model.groups.includes(value, model.viewer.id);
}

function isGroupValue(value: unknown): value is GroupSetting {
  return (
    typeof value === "number" || (typeof value === "object" && value !== null && "directSubgroups" in value)
  );
}

function namesGroup(value: GroupSetting, groupId: number): boolean {
  return typeof value === "number" ? value === groupId : value.directSubgroups.includes(groupId);
}
