import { organizationPermissionList } from "../../../api/administration/organization-permissions.ts";
import { channelPermissionList } from "../../../api/channels/channel-permissions.ts";
import { groupPermissionList } from "../../../api/groups/group-permissions.ts";
import type { GroupRules, SystemGroupName } from "../../../api/setting.ts";
import { systemGroups } from "../../groups/group.ts";

type Permission<Creator extends string> = GroupRules & {
  name: string;
  defaultGroup: SystemGroupName | Creator;
};

/**
 * The settings whose values are groups, and the groups that each can have. Clients make their menus from it.
 */
export const supportedPermissions = {
  realm: present<never>(organizationPermissionList, {}, null),
  stream: present<"creator">(channelPermissionList, { creator: "stream_creator_or_nobody" }, null),
  group: present<"creator">(groupPermissionList, { creator: "group_creator" }, systemGroups.nobody.name),
};

function present<Creator extends string>(
  permissions: readonly Permission<Creator>[],
  creatorNames: Readonly<Record<Creator, string>>,
  defaultForSystemGroups: string | null,
) {
  const nameOf = (group: SystemGroupName | Creator) =>
    group in systemGroups ? systemGroups[group as SystemGroupName].name : creatorNames[group as Creator];
  return Object.fromEntries(
    permissions.map((permission) => [
      permission.name,
      {
        require_system_group: permission.requiresSystemGroup,
        allow_internet_group: permission.allowsInternet,
        allow_nobody_group: permission.allowsNobody,
        allow_everyone_group: permission.allowsEveryone,
        default_group_name: nameOf(permission.defaultGroup),
        default_for_system_groups: defaultForSystemGroups,
        allowed_system_groups: permission.allowedSystemGroups.map((name) => systemGroups[name].name),
      },
    ]),
  );
}
