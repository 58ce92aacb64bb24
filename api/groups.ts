import { Type } from "typebox";
import { endpoint, optional } from "./endpoint.ts";
import { groupPermissionList } from "./group-permissions.ts";
import { groupValue } from "./group-value.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** A user group as everyone sees it (spec User group). */
export const groupFields = {
  id: Type.Integer({ description: "The group's ID." }),
  name: Type.String({ description: "Its name; those of system groups begin with `role:`." }),
  description: Type.String({ description: "What it is for." }),
  date_created: orNull(Type.Integer(), "When it was made, in UNIX seconds; null for system groups."),
  creator_id: orNull(Type.Integer(), "Who made it; null for system groups."),
  members: Type.Array(Type.Integer(), {
    description: "IDs of its direct members, as far as they are active.",
  }),
  direct_subgroup_ids: Type.Array(Type.Integer(), { description: "IDs of the groups that it contains." }),
  is_system_group: Type.Boolean({ description: "Whether its members follow from people's roles." }),
  deactivated: Type.Boolean({ description: "Whether it is out of use." }),
  ...Object.fromEntries(
    groupPermissionList.map(({ name, description }) => [name, Type.Union(groupValue.anyOf, { description })]),
  ),
};

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
  subject: "User groups",
  method: "GET",
  path: "/user_groups",
  access: "user",
  summary: "Get all user groups",
  description:
    "Returns the groups of the organization, system groups included. A system group holds everyone of a role, and the system group of the role above it.",
  parameters: {
    include_deactivated_groups: optional(Type.Boolean(), {
      description: "Whether groups that are out of use are included; they are not by default.",
    }),
  },
  reply: { user_groups: Type.Array(Type.Object(groupFields), { description: "The groups, by ID." }) },
  errors: [],
  example: { parameters: {}, reply: { user_groups: [exampleGroup] } },
  sample: () => ({}),
});
