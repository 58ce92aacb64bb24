import { Type } from "typebox";
import { groupFields } from "../groups/groups.ts";
import { registerSection } from "../register-section.ts";

export const registerGroups = registerSection({
  fields: {
    realm_user_groups: Type.Array(Type.Object(groupFields), {
      description:
        "The user groups by ID; deactivated ones only for clients with `include_deactivated_groups`.",
    }),
  },
});
