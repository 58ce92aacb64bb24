import { type TProperties, Type } from "typebox";
import { event } from "../event.ts";
import { someOf } from "../fields.ts";
import { groupPermissionList } from "../group-permissions.ts";
import { exampleGroup, groupFields } from "../groups.ts";

const groupId = Type.Integer({ description: "The group." });

const members = {
  group_id: groupId,
  user_ids: Type.Array(Type.Integer(), { description: "The people." }),
};

export const groupMembersAdded = event({
  type: "user_group",
  op: "add_members",
  description:
    "People are direct members of a group from now on: they were added to it, or got the role that it stands for, or their account was reactivated.",
  payload: members,
  example: { group_id: 3, user_ids: [10] },
});

export const groupMembersRemoved = event({
  type: "user_group",
  op: "remove_members",
  description:
    "People are not direct members of a group any more: they were removed from it, or have another role, or their account was deactivated.",
  payload: members,
  example: { group_id: 3, user_ids: [10] },
});

const { name, description, deactivated } = groupFields;
const settings = Object.fromEntries(
  groupPermissionList.map((permission) => [permission.name, (groupFields as TProperties)[permission.name]]),
) as TProperties;

export const groupAdded = event({
  type: "user_group",
  op: "add",
  description:
    "A group was made. Clients without `include_deactivated_groups` hear the same of a group that was reactivated.",
  payload: { group: Type.Object(groupFields, { description: "The group." }) },
  example: { group: exampleGroup },
});

export const groupUpdated = event({
  type: "user_group",
  op: "update",
  description:
    "Properties of a group changed. Clients without `include_deactivated_groups` don't hear of deactivated groups.",
  payload: {
    group_id: groupId,
    data: {
      ...someOf({ name, description, deactivated, ...settings }),
      description: "The properties that changed, with their new values.",
    },
  },
  example: { group_id: 21, data: { name: "apps" } },
});

export const subgroupsAdded = event({
  type: "user_group",
  op: "add_subgroups",
  description: "Groups are part of a group from now on.",
  payload: {
    group_id: groupId,
    direct_subgroup_ids: Type.Array(Type.Integer(), { description: "The groups that are now part of it." }),
  },
  example: { group_id: 21, direct_subgroup_ids: [4] },
});

export const subgroupsRemoved = event({
  type: "user_group",
  op: "remove_subgroups",
  description: "Groups are not part of a group any more.",
  payload: {
    group_id: groupId,
    direct_subgroup_ids: Type.Array(Type.Integer(), { description: "The groups that were part of it." }),
  },
  example: { group_id: 21, direct_subgroup_ids: [4] },
});

export const groupRemoved = event({
  type: "user_group",
  op: "remove",
  description:
    "A group was deleted. Clients without `include_deactivated_groups` hear the same of a group that was deactivated.",
  payload: { group_id: groupId },
  example: { group_id: 21 },
});
