import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import type { OrganizationGroupSetting, SystemGroupName } from "../../../api/setting.ts";
import { groups, systemGroups } from "../../groups/group.ts";
import { groupSettingOf } from "../../groups/group-setting.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

type Codes = Readonly<Record<SystemGroupName, number>>;

const creation: Codes = {
  internet: 5,
  everyone: 5,
  members: 1,
  fullMembers: 3,
  moderators: 4,
  administrators: 2,
  owners: 7,
  nobody: 6,
};

/**
 * Owners have no number, so they get the number for nobody: it promises no permission that does not
 * exist.
 */
const wildcards: Codes = {
  internet: 1,
  everyone: 1,
  members: 2,
  fullMembers: 3,
  moderators: 7,
  administrators: 5,
  owners: 6,
  nobody: 6,
};

/**
 * COMPAT: permissions as the numbers that clients knew before groups. Values that are not a system group
 * get the number for nobody.
 */
export function legacyPolicies(state: OrganizationState) {
  const { canCreatePublicChannel, canCreatePrivateChannel, canCreateWebPublicChannel, canMentionManyUsers } =
    organizationPermissions;
  return {
    realm_create_public_stream_policy: codeOf(state, canCreatePublicChannel, creation),
    realm_create_private_stream_policy: codeOf(state, canCreatePrivateChannel, creation),
    realm_create_web_public_stream_policy: codeOf(state, canCreateWebPublicChannel, creation),
    realm_wildcard_mention_policy: codeOf(state, canMentionManyUsers, wildcards),
  };
}

function codeOf(state: OrganizationState, permission: OrganizationGroupSetting, codes: Codes): number {
  const value = groupSettingOf(state, permission);
  const group = typeof value === "number" ? state.get(groups).byId.get(value) : undefined;
  const names = Object.keys(systemGroups) as SystemGroupName[];
  return codes[names.find((name) => systemGroups[name].code === group?.systemCode) ?? "nobody"];
}
