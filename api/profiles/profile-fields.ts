/** Fields that an organization adds to profiles, and one's own values of them. */
import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import {
  MAX_PROFILE_FIELD_HINT_LENGTH,
  MAX_PROFILE_FIELD_NAME_LENGTH,
  MAX_PROFILE_FIELDS,
  MAX_PROFILE_OPTIONS,
  MAX_PROFILE_SHORT_TEXT_LENGTH,
  MAX_SUMMARY_FIELDS,
} from "../limits.ts";
import {
  exampleProfileField,
  fieldData,
  profileField,
  profileFieldType,
  USERNAME_PLACEHOLDER,
  valueRules,
} from "./profile-field.ts";
import { profileFieldTypes } from "./profile-field-types.ts";

const id = inPath(Type.Integer({ minimum: 0 }), { description: "The field." });
const nameRule = `of at most ${MAX_PROFILE_FIELD_NAME_LENGTH} characters. Fields have different labels, ignoring case.`;

const properties = {
  hint: optional(Type.String(), {
    description: `What helps people to fill it in, of at most ${MAX_PROFILE_FIELD_HINT_LENGTH} characters.`,
  }),
  field_data: optional(fieldData, {
    description: `For type 3: the options, by keys of letters, digits, \`-\` and \`_\`. Each has a \`text\` of at most ${MAX_PROFILE_SHORT_TEXT_LENGTH} characters, and an \`order\`. An organization has at most ${MAX_PROFILE_OPTIONS} options in all fields. For type 7: the \`subtype\`, and for \`custom\` the \`url_pattern\` with \`${USERNAME_PLACEHOLDER}\`. Other types ignore it.`,
  }),
  required: optional(Type.Boolean(), {
    description: "Whether clients should ask people to fill it in. The server accepts profiles without it.",
  }),
  display_in_profile_summary: optional(Type.Boolean(), {
    description: `Whether a short form of a profile has it. At most ${MAX_SUMMARY_FIELDS} fields can be there, and none of type 2 or 6.`,
  }),
  editable_by_user: optional(Type.Boolean(), {
    description: "Whether people may change their own value; `true` for a new field by default.",
  }),
};

const fieldErrors = [
  errors.blank,
  errors.profileFieldCharacter,
  errors.profileFieldNameTaken,
  errors.selectWithoutOptions,
  errors.duplicateOptions,
  errors.invalidFieldData,
  errors.tooManyProfileOptions,
  errors.externalAccountUnknown,
  errors.externalAccountPattern,
  errors.summaryFieldType,
  errors.tooManySummaryFields,
];

/** What changing a person's values can throw, on whatever endpoint. */
export const profileValueErrors = [errors.profileFieldNotFound, errors.invalidProfileValue, errors.overQuota];

export const getProfileFields = endpoint({
  name: "getProfileFields",
  subject: "Profile fields",
  method: "GET",
  path: "/realm/profile_fields",
  access: "user",
  summary: "Get custom profile fields",
  description: "Returns the fields that the organization has added to profiles.",
  parameters: {},
  reply: { custom_fields: Type.Array(profileField, { description: "The fields, in their order." }) },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { custom_fields: [exampleProfileField] } },
  sample: () => ({}),
});

export const createProfileField = endpoint({
  name: "createProfileField",
  subject: "Profile fields",
  method: "POST",
  path: "/realm/profile_fields",
  access: "administrator",
  summary: "Create a custom profile field",
  description: `Adds a field after the others. An organization has at most ${MAX_PROFILE_FIELDS}. All clients get an event with all fields.`,
  parameters: {
    field_type: required(profileFieldType, { description: "What kind of values it has." }),
    name: optional(Type.String(), {
      description: `Its label, ${nameRule} It may be left out for a \`subtype\` that has a name.`,
    }),
    ...properties,
  },
  reply: { id: Type.Integer({ description: "The new field's ID." }) },
  errors: [...fieldErrors, errors.tooManyProfileFields, errors.overQuota],
  emits: ["custom_profile_fields"],
  example: {
    parameters: {
      name: "Favorite editor",
      field_type: profileFieldTypes.SELECT.id,
      field_data: { 0: { text: "Vim", order: "1" }, 1: { text: "Emacs", order: "2" } },
    },
    reply: { id: 1 },
  },
  sample: (ids) => ({ name: ids.freshName, field_type: profileFieldTypes.SHORT_TEXT.id }),
});

export const reorderProfileFields = endpoint({
  name: "reorderProfileFields",
  subject: "Profile fields",
  method: "PATCH",
  path: "/realm/profile_fields",
  access: "administrator",
  summary: "Reorder custom profile fields",
  description: "Sets the order of the organization's fields. All clients get an event with all fields.",
  parameters: {
    order: required(Type.Array(Type.Integer(), { maxItems: MAX_PROFILE_FIELDS }), {
      description: "The IDs of all fields, in their new order.",
    }),
  },
  reply: {},
  errors: [errors.invalidFieldOrder],
  emits: ["custom_profile_fields"],
  example: { parameters: { order: [1] }, reply: {} },
  sample: (ids) => ({ order: ids.profileFieldIds }),
});

export const updateProfileField = endpoint({
  name: "updateProfileField",
  subject: "Profile fields",
  method: "PATCH",
  path: "/realm/profile_fields/{field_id}",
  access: "administrator",
  summary: "Change a custom profile field",
  description:
    "Changes the given properties of a field. If an option is left out, the values of people who chose it are deleted. All clients get an event with all fields.",
  parameters: {
    field_id: id,
    name: optional(Type.String(), { description: `Its new label, ${nameRule}` }),
    ...properties,
  },
  reply: {},
  errors: [errors.profileFieldNotFound, ...fieldErrors],
  emits: ["custom_profile_fields"],
  example: { parameters: { field_id: 1, hint: "The one that you use most" }, reply: {} },
  sample: (ids) => ({ field_id: ids.profileFieldId, hint: `For ${ids.freshName}` }),
});

export const deleteProfileField = endpoint({
  name: "deleteProfileField",
  subject: "Profile fields",
  method: "DELETE",
  path: "/realm/profile_fields/{field_id}",
  access: "administrator",
  summary: "Delete a custom profile field",
  description:
    "Deletes a field and everybody's values of it. All clients get an event with the remaining fields.",
  parameters: { field_id: id },
  reply: {},
  errors: [errors.profileFieldNotFound],
  emits: ["custom_profile_fields"],
  example: { parameters: { field_id: 1 }, reply: {} },
  sample: (ids) => ({ field_id: ids.profileFieldId }),
});

export const updateProfileData = endpoint({
  name: "updateProfileData",
  subject: "Profile fields",
  method: "PATCH",
  path: "/users/me/profile_data",
  access: "user",
  summary: "Change own profile",
  description:
    "Sets the caller's values of custom profile fields: all of the given ones, or none if one is refused. All clients get an event for each change. Bots have no values.",
  parameters: {
    data: required(
      Type.Array(
        Type.Object({
          id: Type.Integer({ description: "The field." }),
          value: Type.Union([Type.String(), Type.Array(Type.Integer())], { description: valueRules }),
        }),
        { maxItems: MAX_PROFILE_FIELDS },
      ),
      { description: "The new values." },
    ),
  },
  reply: {},
  errors: [errors.botsNotAccepted, errors.profileFieldNotEditable, ...profileValueErrors],
  emits: ["realm_user/update"],
  example: { parameters: { data: [{ id: 1, value: "0" }] }, reply: {} },
  sample: (ids) => ({ data: [{ id: ids.profileFieldId, value: ids.freshName }] }),
});

export const removeProfileData = endpoint({
  name: "removeProfileData",
  subject: "Profile fields",
  method: "DELETE",
  path: "/users/me/profile_data",
  access: "user",
  summary: "Remove values from own profile",
  description:
    "Removes the caller's values of the given fields. All clients get an event for each value that was there.",
  parameters: {
    data: required(Type.Array(Type.Integer(), { maxItems: MAX_PROFILE_FIELDS }), {
      description: "The IDs of the fields.",
    }),
  },
  reply: {},
  errors: [
    errors.botsNotAccepted,
    errors.profileFieldNotEditable,
    errors.profileFieldNotFound,
    errors.overQuota,
  ],
  emits: ["realm_user/update"],
  example: { parameters: { data: [1] }, reply: {} },
  sample: (ids) => ({ data: [ids.profileFieldId] }),
});
