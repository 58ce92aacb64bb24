import { organizationPermissionList } from "../../api/administration/organization-permissions.ts";
import { groupPermissionList } from "../../api/groups/group-permissions.ts";
import type { GroupId } from "../../api/ids.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Group, type GroupValue, groups } from "./group.ts";
import { groupSettingOf } from "./group-setting.ts";
import { groupPermissionOf } from "./permissions.ts";

/** A place where a group is used, as the API reports it (spec E14). */
export interface Objection {
  type: "realm" | "channel" | "user_group" | "subgroup";
  settings?: string[];
  channel_id?: number;
  group_id?: number;
  supergroup_ids?: number[];
}

/**
 * Lists the uses of a group by one kind of object. Modules above groups pass theirs as a list. Archived
 * channels and deactivated groups count too: they may come back, and must not name a group that no longer
 * exists.
 */
export type GroupUses = (state: OrganizationState, group: Group) => Objection[];

/** Everything that uses the group, and so keeps it from being deactivated or deleted. */
export function objectionsTo(
  state: OrganizationState,
  group: Group,
  groupUses: readonly GroupUses[],
): Objection[] {
  return [asSubgroup, byOrganization, ...groupUses, byGroups].flatMap((uses) => uses(state, group));
}

export function namesGroup(value: GroupValue, groupId: GroupId): boolean {
  return typeof value === "number" ? value === groupId : value.direct_subgroups.includes(groupId);
}

const asSubgroup: GroupUses = (state, { id }) => {
  const supergroups = [...state.get(groups).all()].filter(({ subgroupIds }) => subgroupIds.includes(id));
  if (supergroups.length === 0) return [];
  return [{ type: "subgroup", supergroup_ids: supergroups.map((group) => group.id).sort((a, b) => a - b) }];
};

const byOrganization: GroupUses = (state, { id }) => {
  const settings = organizationPermissionList.filter((setting) =>
    namesGroup(groupSettingOf(state, setting), id),
  );
  return settings.length === 0 ? [] : [{ type: "realm", settings: settings.map(({ name }) => name) }];
};

/** The group itself is included, if its own settings name it. */
const byGroups: GroupUses = (state, { id }) =>
  [...state.get(groups).all()].flatMap((group): Objection[] => {
    if (group.systemCode !== null) return [];
    const settings = groupPermissionList.filter((permission) =>
      namesGroup(groupPermissionOf(state, group, permission), id),
    );
    if (settings.length === 0) return [];
    return [{ type: "user_group", group_id: group.id, settings: settings.map(({ name }) => name) }];
  });
