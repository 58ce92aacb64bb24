import { Type } from "typebox";
import { profileField } from "../profiles/profile-field.ts";
import { registerSection } from "../register-section.ts";

export const registerProfileFields = registerSection({
  fields: {
    custom_profile_fields: Type.Array(profileField, {
      description: "The custom profile fields of the organization, in their order.",
    }),
    custom_profile_field_types: Type.Record(
      Type.String(),
      Type.Object({
        id: Type.Integer({ description: "The type's number." }),
        name: Type.String({ description: "Its name for people." }),
      }),
      { description: "The types that a custom profile field can have." },
    ),
  },
});
