import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { registerProfileFields } from "../../../api/register/profile-fields.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentField } from "./present.ts";
import { profileFields } from "./profile-fields.ts";

/** Values come with the people in `realm_users`. Without an account, a client learns of no profiles. */
export const profileFieldSection = sectionOf(registerProfileFields, ({ state, viewer, wants }) => {
  if (!wants("custom_profile_fields")) return undefined;
  return {
    custom_profile_fields: viewer ? state.get(profileFields).all.map(presentField) : [],
    custom_profile_field_types: profileFieldTypes,
  };
});
