import { Type } from "typebox";
import { event } from "../event.ts";
import { exampleProfileField, profileField } from "../profiles/profile-field.ts";

export const profileFieldsChanged = event({
  type: "custom_profile_fields",
  description:
    "A custom profile field was created, changed, moved or deleted. Values of fields and of options that are missing from the list are deleted too, without events of their own.",
  payload: { fields: Type.Array(profileField, { description: "All fields, in their order." }) },
  example: { fields: [exampleProfileField] },
});
