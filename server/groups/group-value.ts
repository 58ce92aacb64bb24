import { ApiError, errors } from "../../api/errors.ts";
import type { UserId } from "../../api/ids.ts";
import type { GroupRules, SystemGroupName } from "../../api/setting.ts";
import { users } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Group, type GroupValue, groups, systemGroups } from "./group.ts";

/**
 * A group-setting value from a request (spec Conventions 6). Every group must be known and allowed for
 * the setting, and every person known. Deactivated people are left out. A single group without people is
 * written as that group.
 */
export function parseGroupValue(
  state: OrganizationState,
  setting: GroupRules & { name: string },
  value: GroupValue,
): GroupValue {
  if (typeof value === "number") return accessGroupFor(state, setting, value).id;
  const subgroups = unique(value.direct_subgroups).map((id) => accessGroupFor(state, setting, id, true).id);
  const members = unique(value.direct_members).filter((id) => {
    const user = state.get(users).findManaged(id);
    if (!user) throw new ApiError(errors.noSuchUser);
    return user.isActive;
  });
  const only = subgroups.length === 1 && members.length === 0 ? subgroups[0] : undefined;
  if (only !== undefined) return accessGroupFor(state, setting, only).id;
  if (subgroups.length === 0 && members.length === 0) {
    return accessGroupFor(state, setting, state.get(groups).system("nobody").id).id;
  }
  if (setting.requiresSystemGroup)
    throw new ApiError(errors.systemGroupRequired, { setting_name: setting.name });
  return { direct_members: members, direct_subgroups: subgroups };
}

/** How a request changes a group-setting value (spec Conventions 6). */
export interface GroupValueChange {
  new: GroupValue;
  /** The value that the caller believes is current. */
  old?: GroupValue;
}

/**
 * The new value that a request gives a setting; it may be equal to `current` (see `isSameGroupValue`).
 * Throws EXPECTATION_MISMATCH when the caller expected another value than the current one, whatever the
 * new one is.
 */
export function parseGroupSettingUpdate(
  state: OrganizationState,
  setting: GroupRules & { name: string },
  current: GroupValue,
  change: GroupValueChange,
): GroupValue {
  if (
    change.old !== undefined &&
    !isSameGroupValue(withoutInactive(state, change.old), withoutInactive(state, current))
  ) {
    throw new ApiError(errors.expectationMismatch);
  }
  return parseGroupValue(state, setting, change.new);
}

/** Order and repetition make no difference. */
export function isSameGroupValue(one: GroupValue, other: GroupValue): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

/**
 * The value as everyone sees it: deactivated people may do nothing until they are reactivated, and are
 * left out until then.
 */
export function withoutInactive(state: OrganizationState, value: GroupValue): GroupValue {
  const { byId } = state.get(users);
  return namingOnly(value, (id) => byId.get(id)?.isActive === true);
}

/** The value with only those people. */
export function namingOnly(value: GroupValue, isNamed: (id: UserId) => boolean): GroupValue {
  if (typeof value === "number" || value.direct_members.every(isNamed)) return value;
  return { ...value, direct_members: value.direct_members.filter(isNamed) };
}

/** COMPAT: one group without people is that group, in both spellings. */
function canonical(value: GroupValue): unknown {
  if (typeof value === "number") return value;
  const list = (ids: readonly number[]) => [...new Set(ids)].sort((one, another) => one - another);
  const members = list(value.direct_members);
  const subgroups = list(value.direct_subgroups);
  return members.length === 0 && subgroups.length === 1 ? subgroups[0] : [members, subgroups];
}

/** `isPart`: beside other groups, where the group of nobody does no harm. */
function accessGroupFor(
  state: OrganizationState,
  setting: GroupRules & { name: string },
  id: number,
  isPart = false,
): Group {
  const group = state.get(groups).find(id);
  if (!group?.isActive) throw new ApiError(errors.invalidGroup);
  const system = systemNameOf(group);
  if (system === undefined) {
    if (setting.requiresSystemGroup)
      throw new ApiError(errors.systemGroupRequired, { setting_name: setting.name });
    return group;
  }
  const isAllowed =
    (system !== "nobody" || setting.allowsNobody || isPart) &&
    (system !== "everyone" || setting.allowsEveryone) &&
    (system !== "internet" || setting.allowsInternet) &&
    (setting.allowedSystemGroups.length === 0 || setting.allowedSystemGroups.includes(system));
  if (!isAllowed)
    throw new ApiError(errors.settingGroupNotAllowed, { name: setting.name, group: group.name });
  return group;
}

function systemNameOf(group: Group): SystemGroupName | undefined {
  const names = Object.keys(systemGroups) as SystemGroupName[];
  return names.find((name) => systemGroups[name].code === group.systemCode);
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
