import { Type } from "typebox";
import { endpoint, inPath, optional, type Parameter, type Reply, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { nullable } from "../fields.ts";
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from "../limits.ts";
import { groupPermissionList } from "./group-permissions.ts";
import { groupValue, groupValueChange } from "./group-value.ts";

/** The most people, and the most groups, that one call can list. */
export const MAX_MEMBERS_A_CALL = 20_000;

/** A user group as everyone sees it (spec User group). */
export const groupFields = {
  id: Type.Integer({ description: "The group's ID." }),
  name: Type.String({ description: "Its name; those of system groups begin with `role:`." }),
  description: Type.String({ description: "What it is for." }),
  date_created: nullable(Type.Integer(), "When it was created, in UNIX seconds; null for system groups."),
  creator_id: nullable(Type.Integer(), "The user who created it; null for system groups."),
  members: Type.Array(Type.Integer(), {
    description: "IDs of its direct members whose accounts are active.",
  }),
  direct_subgroup_ids: Type.Array(Type.Integer(), { description: "IDs of the groups that it contains." }),
  is_system_group: Type.Boolean({
    description: "Whether it is a system group, whose members follow from people's roles.",
  }),
  deactivated: Type.Boolean({ description: "Whether it is deactivated." }),
  ...Object.fromEntries(
    groupPermissionList.map(({ name, description }) => [name, Type.Union(groupValue.anyOf, { description })]),
  ),
};

export type GroupRecord = Reply<typeof groupFields>;

export const exampleGroup = {
  id: 3,
  name: "role:administrators",
  description: "Administrators and owners",
  date_created: null,
  creator_id: null,
  members: [8],
  direct_subgroup_ids: [2],
  is_system_group: true,
  deactivated: false,
  ...Object.fromEntries(groupPermissionList.map(({ name }) => [name, 1])),
};

export const getUserGroups = endpoint({
  name: "getUserGroups",
  subject: "Groups",
  method: "GET",
  path: "/user_groups",
  access: "user",
  summary: "Get all user groups",
  description:
    "Returns the groups of the organization, system groups included. A system group contains everyone with a role, and the system group of the role above.",
  parameters: {
    include_deactivated_groups: optional(Type.Boolean(), {
      description: "Whether deactivated groups are included; `false` by default.",
    }),
  },
  reply: { user_groups: Type.Array(Type.Object(groupFields), { description: "The groups, by ID." }) },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { user_groups: [exampleGroup] } },
  sample: () => ({}),
});

/** One parameter for each of a group's own settings. */
const newPermissions = Object.fromEntries(
  groupPermissionList.map(({ name, description }) => [name, optional(groupValue, { description })]),
) as Record<string, Parameter<typeof groupValue, false>>;

const changedPermissions = Object.fromEntries(
  groupPermissionList.map(({ name, description }) => [name, optional(groupValueChange, { description })]),
) as Record<string, Parameter<typeof groupValueChange, false>>;

const nameErrors = [errors.groupNameLength, errors.groupNamePrefix, errors.groupNameTaken];
const settingErrors = [errors.settingGroupNotAllowed, errors.noSuchUser];

export const groupInPath = inPath(Type.Integer(), { description: "The group." });

export const createUserGroup = endpoint({
  name: "createUserGroup",
  subject: "Groups",
  method: "POST",
  path: "/user_groups/create",
  access: "member",
  summary: "Create a user group",
  description:
    "Creates a group of people and other groups. It needs the organization's permission `can_create_groups`. By default the caller may manage the new group. The caller is a member only if listed.",
  parameters: {
    name: required(Type.String(), {
      description: `The group's name, of at most ${MAX_GROUP_NAME_LENGTH} characters. It must be unique, ignoring case, among all groups, deactivated ones included. It can't begin with \`@\`, \`role:\`, \`user:\`, \`stream:\` or \`channel:\`.`,
    }),
    description: required(Type.String(), {
      description: `What the group is for, in at most ${MAX_GROUP_DESCRIPTION_LENGTH} characters.`,
    }),
    members: required(Type.Array(Type.Integer(), { maxItems: MAX_MEMBERS_A_CALL }), {
      description: "IDs of the people and bots in it.",
    }),
    subgroups: optional(Type.Array(Type.Integer(), { maxItems: MAX_MEMBERS_A_CALL }), {
      description: "IDs of the groups in it.",
    }),
    ...newPermissions,
  },
  reply: { group_id: Type.Integer({ description: "The new group's ID." }) },
  errors: [...nameErrors, ...settingErrors, errors.groupDeactivated, errors.invalidGroup],
  emits: ["user_group/add"],
  example: {
    parameters: { name: "writers", description: "Everyone who writes texts", members: [4, 6] },
    reply: { group_id: 21 },
  },
  sample: (ids) => ({ name: ids.freshName, description: "The apps' people", members: [ids.userId] }),
});

export const updateUserGroup = endpoint({
  name: "updateUserGroup",
  subject: "Groups",
  method: "PATCH",
  path: "/user_groups/{user_group_id}",
  access: "member",
  summary: "Change a user group",
  description:
    "Changes all of the given properties, or none if one can't be changed. It needs `can_manage_group` of the group or `can_manage_all_groups` of the organization. A deactivated group can be changed too, and stays deactivated unless the call reactivates it.",
  parameters: {
    user_group_id: groupInPath,
    name: optional(Type.String(), { description: "A new name. The rules for new groups apply." }),
    description: optional(Type.String(), { description: "A new description." }),
    deactivated: optional(Type.Boolean(), {
      description: "`false` reactivates a deactivated group.",
    }),
    ...changedPermissions,
  },
  reply: {},
  errors: [
    ...nameErrors,
    ...settingErrors,
    errors.invalidGroup,
    errors.expectationMismatch,
    errors.groupDeactivationElsewhere,
    errors.nothingToChangeInGroup,
  ],
  emits: ["user_group/update"],
  example: {
    parameters: { user_group_id: 9, name: "apps", description: "Everyone who works on the apps" },
    reply: {},
  },
  sample: (ids) => ({ user_group_id: ids.groupId, description: "Everyone who builds the apps" }),
});

export const deactivateUserGroup = endpoint({
  name: "deactivateUserGroup",
  subject: "Groups",
  method: "POST",
  path: "/user_groups/{user_group_id}/deactivate",
  access: "member",
  summary: "Deactivate a user group",
  description:
    "Deactivates a group: until it is reactivated, it can't be mentioned, used in settings or become a subgroup. The call fails while a setting uses the group or another group contains it. The error's `objections` list where. Entries of type `realm`, `channel` and `user_group` have `settings`, the latter two also `channel_id` and `group_id`. An entry of type `subgroup` has `supergroup_ids`.",
  parameters: { user_group_id: groupInPath },
  reply: {},
  errors: [errors.invalidGroup, errors.groupDeactivated, errors.cannotDeactivateGroupInUse],
  emits: ["user_group/update"],
  example: { parameters: { user_group_id: 10 }, reply: {} },
  sample: (ids) => ({ user_group_id: ids.groupId }),
});

export const deleteUserGroup = endpoint({
  name: "deleteUserGroup",
  subject: "Groups",
  method: "DELETE",
  path: "/user_groups/{user_group_id}",
  access: "member",
  summary: "Delete a user group",
  description:
    "Deletes a group permanently. It fails in the same cases, and with the same `objections`, as deactivating the group.",
  parameters: { user_group_id: groupInPath },
  reply: {},
  errors: [errors.invalidGroup, errors.cannotDeactivateGroupInUse],
  emits: ["user_group/remove"],
  example: { parameters: { user_group_id: 9 }, reply: {} },
  sample: (ids) => ({ user_group_id: ids.groupId }),
});
