import { type TProperties, type TSchema, Type } from "typebox";
import { event } from "../event.ts";
import { groupPermissionList } from "../groups/group-permissions.ts";
import { exampleGroup, groupFields } from "../groups/groups.ts";

const groupId = Type.Integer({ description: "The group." });

const members = {
  group_id: groupId,
  user_ids: Type.Array(Type.Integer(), { description: "The people." }),
};

export const groupMembersAdded = event({
  type: "user_group",
  op: "add_members",
  description:
    "People became direct members of a group: they were added to it, they got the role of a system group, or their account was reactivated.",
  payload: members,
  example: { group_id: 3, user_ids: [10] },
});

export const groupMembersRemoved = event({
  type: "user_group",
  op: "remove_members",
  description:
    "People are no longer direct members of a group: they were removed from it, they lost the role of a system group, or their account was deactivated.",
  payload: members,
  example: { group_id: 3, user_ids: [10] },
});

const { name, description, deactivated } = groupFields;
const changedPermissions = Object.fromEntries(
  groupPermissionList.map(({ name }) => [name, Type.Optional((groupFields as TProperties)[name] as TSchema)]),
);

export const groupAdded = event({
  type: "user_group",
  op: "add",
  description:
    "A group was created. Clients without `include_deactivated_groups` also get this event when a group is reactivated.",
  payload: { group: Type.Object(groupFields, { description: "The group." }) },
  example: { group: exampleGroup },
});

export const groupUpdated = event({
  type: "user_group",
  op: "update",
  description:
    "Properties of a group changed. Clients without `include_deactivated_groups` don't get this event for deactivated groups.",
  payload: {
    group_id: groupId,
    data: Type.Object(
      {
        name: Type.Optional(name),
        description: Type.Optional(description),
        deactivated: Type.Optional(deactivated),
        ...changedPermissions,
      },
      { description: "The properties that changed, with their new values." },
    ),
  },
  example: { group_id: 21, data: { name: "apps" } },
});

export const subgroupsAdded = event({
  type: "user_group",
  op: "add_subgroups",
  description: "Groups became subgroups of a group.",
  payload: {
    group_id: groupId,
    direct_subgroup_ids: Type.Array(Type.Integer(), { description: "The new subgroups." }),
  },
  example: { group_id: 21, direct_subgroup_ids: [4] },
});

export const subgroupsRemoved = event({
  type: "user_group",
  op: "remove_subgroups",
  description: "Groups are no longer subgroups of a group.",
  payload: {
    group_id: groupId,
    direct_subgroup_ids: Type.Array(Type.Integer(), { description: "The former subgroups." }),
  },
  example: { group_id: 21, direct_subgroup_ids: [4] },
});

export const groupRemoved = event({
  type: "user_group",
  op: "remove",
  description:
    "A group was deleted. Clients without `include_deactivated_groups` also get this event when a group is deactivated.",
  payload: { group_id: groupId },
  example: { group_id: 21 },
});
