import { roles } from "../../api/roles.ts";
import type { OrganizationGroupSetting } from "../../api/setting.ts";
import { organization } from "../organization/organization.ts";
import type { User } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type GroupValue, groups, isInGroupValue } from "./group.ts";

/**
 * The people and groups that the setting names now. Such settings are declared in
 * `api/administration/organization-permissions.ts`.
 */
export function groupSettingOf(state: OrganizationState, setting: OrganizationGroupSetting): GroupValue {
  const chosen = state.get(organization).settings[setting.name];
  return chosen === undefined ? state.get(groups).system(setting.defaultGroup).id : (chosen as GroupValue);
}

/** Guests have only the permissions that `everyone` may have, even if their groups have others. */
export function canDo(state: OrganizationState, setting: OrganizationGroupSetting, user: User): boolean {
  if (user.role >= roles.guest && !setting.allowsEveryone) return false;
  return isInGroupValue(state, groupSettingOf(state, setting), user);
}
