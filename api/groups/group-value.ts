import { Type } from "typebox";
import { described } from "../fields.ts";

/** The most people, and the most groups, that one value can list. */
const MAX_NAMED = 1000;

/** The value of a permission (spec Conventions 6): the ID of a group, or a list of people and groups. */
export const groupValue = Type.Union([
  Type.Integer(),
  Type.Object(
    {
      direct_members: Type.Array(Type.Integer(), { maxItems: MAX_NAMED, description: "IDs of people." }),
      direct_subgroups: Type.Array(Type.Integer(), { maxItems: MAX_NAMED, description: "IDs of groups." }),
    },
    { additionalProperties: false },
  ),
]);

/** How a request changes a group-setting value (spec Conventions 6). */
export const groupValueChange = Type.Object({
  new: described(groupValue, "The value to set."),
  old: Type.Optional(
    described(groupValue, "The value that the caller believes to be current. If it is not, the call fails."),
  ),
});
