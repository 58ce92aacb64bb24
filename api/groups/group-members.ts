import { Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { groupInPath, MAX_MEMBERS_A_CALL } from "./groups.ts";

const ids = (description: string) =>
  optional(Type.Array(Type.Integer(), { maxItems: MAX_MEMBERS_A_CALL }), { description });

const subgroupErrors = [
  errors.alreadySubgroup,
  errors.notSubgroup,
  errors.subgroupCycle,
  errors.invalidGroup,
  errors.groupDeactivated,
  errors.noMembersGiven,
];

export const updateUserGroupMembers = endpoint({
  name: "updateUserGroupMembers",
  subject: "Groups",
  method: "POST",
  path: "/user_groups/{user_group_id}/members",
  access: "user",
  summary: "Change a user group's members",
  description:
    "Adds and removes direct members and subgroups: all of them, or none if one can't be. Needs permission to manage the group. `can_add_members_group` is enough to add, `can_remove_members_group` to remove. To add or remove only the caller, `can_join_group` or `can_leave_group` is enough.",
  parameters: {
    user_group_id: groupInPath,
    add: ids("IDs of people and bots to add."),
    delete: ids("IDs of members to remove."),
    add_subgroups: ids("IDs of groups to add."),
    delete_subgroups: ids("IDs of subgroups to remove."),
  },
  reply: {},
  errors: [
    errors.insufficientPermission,
    errors.noSuchUser,
    errors.alreadyMember,
    errors.notMember,
    ...subgroupErrors,
  ],
  emits: [
    "message",
    "update_message_flags/add",
    "stream/create",
    "stream/delete",
    "subscription/peer_add",
    "user_group/add_members",
    "user_group/remove_members",
    "user_group/add_subgroups",
    "user_group/remove_subgroups",
  ],
  example: { parameters: { user_group_id: 9, add: [6], delete: [5] }, reply: {} },
  sample: (ids) => ({ user_group_id: ids.groupId, add: [ids.userId] }),
});

export const updateUserGroupSubgroups = endpoint({
  name: "updateUserGroupSubgroups",
  subject: "Groups",
  method: "POST",
  path: "/user_groups/{user_group_id}/subgroups",
  access: "member",
  summary: "Change a user group's subgroups",
  description:
    "Adds and removes subgroups: all of them, or none if one can't be. A group that contains this one can't become its subgroup. It needs the same permissions as adding and removing people.",
  parameters: {
    user_group_id: groupInPath,
    add: ids("IDs of groups to add."),
    delete: ids("IDs of subgroups to remove."),
  },
  reply: {},
  errors: subgroupErrors,
  emits: [
    "update_message_flags/add",
    "stream/create",
    "stream/delete",
    "subscription/peer_add",
    "user_group/add_subgroups",
    "user_group/remove_subgroups",
  ],
  example: { parameters: { user_group_id: 9, add: [4] }, reply: {} },
  sample: (ids) => ({ user_group_id: ids.groupId, add: [ids.subgroupId] }),
});

const directMemberOnly = optional(Type.Boolean(), {
  description:
    "Whether to leave out people who are in the group only through its subgroups; `false` by default.",
});

export const getUserGroupMembers = endpoint({
  name: "getUserGroupMembers",
  subject: "Groups",
  method: "GET",
  path: "/user_groups/{user_group_id}/members",
  access: "user",
  summary: "Get a user group's members",
  description: "Returns the people and bots in a group. Deactivated accounts are not listed.",
  parameters: { user_group_id: groupInPath, direct_member_only: directMemberOnly },
  reply: { members: Type.Array(Type.Integer(), { description: "The members' IDs, in ascending order." }) },
  errors: [errors.invalidGroup],
  emits: [],
  example: { parameters: { user_group_id: 9 }, reply: { members: [1, 5] } },
  sample: (ids) => ({ user_group_id: ids.groupId }),
});

export const getUserGroupMembership = endpoint({
  name: "getUserGroupMembership",
  subject: "Groups",
  method: "GET",
  path: "/user_groups/{user_group_id}/members/{user_id}",
  access: "user",
  summary: "Check whether a user is in a user group",
  description: "Returns whether a user is a member of a group.",
  parameters: {
    user_group_id: groupInPath,
    user_id: inPath(Type.Integer(), { description: "The person or bot." }),
    direct_member_only: directMemberOnly,
  },
  reply: { is_user_group_member: Type.Boolean({ description: "Whether the user is a member." }) },
  errors: [errors.invalidGroup, errors.noSuchUser],
  emits: [],
  example: { parameters: { user_group_id: 9, user_id: 5 }, reply: { is_user_group_member: true } },
  sample: (ids) => ({ user_group_id: ids.groupId, user_id: ids.userId }),
});

export const getUserGroupSubgroups = endpoint({
  name: "getUserGroupSubgroups",
  subject: "Groups",
  method: "GET",
  path: "/user_groups/{user_group_id}/subgroups",
  access: "user",
  summary: "Get a user group's subgroups",
  description: "Returns the subgroups of a group.",
  parameters: {
    user_group_id: groupInPath,
    direct_subgroup_only: optional(Type.Boolean(), {
      description: "Whether to leave out the subgroups of subgroups; `false` by default.",
    }),
  },
  reply: { subgroups: Type.Array(Type.Integer(), { description: "The groups' IDs, in ascending order." }) },
  errors: [errors.invalidGroup],
  emits: [],
  example: { parameters: { user_group_id: 9 }, reply: { subgroups: [2, 3, 4] } },
  sample: (ids) => ({ user_group_id: ids.groupId }),
});
