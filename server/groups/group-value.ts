import { ApiError, errors } from "../../api/errors.ts";
import type { GroupRules, SystemGroupName } from "../../api/setting.ts";
import type { Live } from "../events/live.ts";
import { users } from "../users/user.ts";
import { type Group, type GroupValue, groups, systemGroups } from "./group.ts";

/**
 * A group-setting value from a request (spec Conventions 6): every group is known and allowed for the setting, people are
 * known, those who are no longer active are left out, and a single group without people is written as that group.
 */
export function parseGroupValue(
  live: Live,
  setting: GroupRules & { name: string },
  value: GroupValue,
): GroupValue {
  if (typeof value === "number") return accessGroupFor(live, setting, value).id;
  const subgroups = unique(value.direct_subgroups).map((id) => accessGroupFor(live, setting, id, true).id);
  const members = unique(value.direct_members).filter((id) => {
    const user = live.get(users).find(id);
    if (!user) throw new ApiError(errors.noSuchUser);
    return user.isActive;
  });
  const only = subgroups.length === 1 && members.length === 0 ? subgroups[0] : undefined;
  if (only !== undefined) return accessGroupFor(live, setting, only).id;
  if (subgroups.length === 0 && members.length === 0) {
    return accessGroupFor(live, setting, live.get(groups).system("nobody").id).id;
  }
  if (setting.requiresSystemGroup)
    throw new ApiError(errors.systemGroupRequired, { setting_name: setting.name });
  return { direct_members: members, direct_subgroups: subgroups };
}

/** `isPart`: beside others, where a group that stands for nobody does no harm. */
function accessGroupFor(
  live: Live,
  setting: GroupRules & { name: string },
  id: number,
  isPart = false,
): Group {
  const group = live.get(groups).find(id);
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
