import type { ModuleExports } from "../module-exports.ts";
import { presentField } from "./profile-fields/present.ts";
import { profileFields } from "./profile-fields/profile-fields.ts";

export const profileExports: ModuleExports = {
  // The records of people have the values.
  tables: ["profile_fields", "profile_field_values"],
  leftOut: {
    presences: "Who was there when is no part of what was said.",
    user_statuses: "What people say of the moment.",
  },
  records: ({ state }) => ({ profile_fields: state.get(profileFields).all.map(presentField) }),
};
