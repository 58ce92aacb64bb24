import { Type } from "typebox";
import { described } from "./fields.ts";

/** Most people or groups that one value names by themselves. */
const MAX_NAMED = 1000;

/** Whom a setting names (spec Conventions 6): a group, or people and groups without a name of their own. */
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
    described(groupValue, "The value that the caller believes it has; another one is an error."),
  ),
});
