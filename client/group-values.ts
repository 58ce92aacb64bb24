/**
 * The values of permissions: which groups a permission may name, how values are compared, and how requests
 * write them. A value without people that names one group is that group; one that names nobody is the group
 * of nobody.
 */
import { organizationSettings } from "../api/administration/organization-settings.ts";
import type { Group } from "./model/groups.ts";
import type { Model } from "./model/model.ts";
import type { GroupSetting } from "./model/wire.ts";

/** What a permission belongs to: the organization, a channel or a group. */
export type PermissionKind = "realm" | "stream" | "group";

/** Which groups a permission may have, as `/register` says it. */
export interface PermissionRules {
  require_system_group: boolean;
  allow_internet_group: boolean;
  allow_nobody_group: boolean;
  allow_everyone_group: boolean;
  allowed_system_groups: readonly string[];
}

export interface Named {
  userIds: readonly number[];
  groupIds: readonly number[];
}

export type WireGroupValue = number | { direct_members: number[]; direct_subgroups: number[] };

const NOBODY = "role:nobody";

/** From the widest group to the narrowest. */
const byWidth = [
  ...["role:internet", "role:everyone", "role:members", "role:fullmembers"],
  ...["role:moderators", "role:administrators", "role:owners", NOBODY],
];

export function permissionRules(model: Model, kind: PermissionKind, name: string): PermissionRules {
  const all = model.constants.server_supported_permission_settings as
    | Record<PermissionKind, Record<string, PermissionRules>>
    | undefined;
  const unlimited = { require_system_group: false, allow_internet_group: false, allowed_system_groups: [] };
  return all?.[kind]?.[name] ?? { ...unlimited, allow_nobody_group: true, allow_everyone_group: true };
}

/** The system groups that a permission can name, the widest first, then the organization's own by name. */
export function allowedGroups(model: Model, rules: PermissionRules): Group[] {
  const all = [...model.groups.byId.values()].filter(({ isDeactivated }) => !isDeactivated);
  const system = all
    .filter((group) => group.isSystem && isAllowed(model, rules, group.name))
    .sort((a, b) => byWidth.indexOf(a.name) - byWidth.indexOf(b.name));
  if (rules.require_system_group) return system;
  const own = all.filter((group) => !group.isSystem).sort((a, b) => a.name.localeCompare(b.name));
  return [...system, ...own];
}

function isAllowed(model: Model, rules: PermissionRules, name: string): boolean {
  const { allowed_system_groups: listed } = rules;
  if (listed.length > 0 && !listed.includes(name)) return false;
  if (name === "role:internet") return rules.allow_internet_group;
  if (name === "role:everyone") return rules.allow_everyone_group;
  if (name === NOBODY) return rules.allow_nobody_group;
  // Without a waiting period, all members are full members.
  if (name === "role:fullmembers")
    return model.organization.get(organizationSettings.waitingPeriodThreshold) > 0;
  return true;
}

/** The people and groups of a value; none for the group of nobody. */
export function namedBy(model: Model, value: GroupSetting): Named {
  if (typeof value !== "number") return { userIds: value.directMembers, groupIds: value.directSubgroups };
  const isNobody = model.groups.byId.get(value)?.name === NOBODY;
  return { userIds: [], groupIds: isNobody ? [] : [value] };
}

export function valueNaming(model: Model, { userIds, groupIds }: Named): GroupSetting {
  const nobody = nobodyOf(model);
  const groups = groupIds.filter((id) => id !== nobody);
  if (userIds.length === 0 && groups.length <= 1) return groups[0] ?? nobody;
  return { directMembers: userIds, directSubgroups: groups };
}

export function nobodyOf(model: Model): number {
  for (const { id, name } of model.groups.byId.values()) if (name === NOBODY) return id;
  return 0;
}

/** Order makes no difference. */
export function isSameValue(one: GroupSetting, other: GroupSetting): boolean {
  if (typeof one === "number" || typeof other === "number") return one === other;
  return (
    isSameSet(one.directMembers, other.directMembers) && isSameSet(one.directSubgroups, other.directSubgroups)
  );
}

export function writeValue(value: GroupSetting): WireGroupValue {
  if (typeof value === "number") return value;
  return { direct_members: [...value.directMembers], direct_subgroups: [...value.directSubgroups] };
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
