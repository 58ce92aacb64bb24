/** A field that the profiles of an organization have, and the values that people give it. */
import { type Static, Type } from "typebox";
import {
  MAX_PROFILE_LONG_TEXT_LENGTH,
  MAX_PROFILE_PEOPLE,
  MAX_PROFILE_SHORT_TEXT_LENGTH,
  MAX_PROFILE_URL_LENGTH,
} from "../limits.ts";
import { type ProfileFieldType, profileFieldTypes } from "./profile-field-types.ts";

const typeNumbers: ProfileFieldType[] = Object.values(profileFieldTypes).map(({ id }) => id);

export const profileFieldType = Type.Enum(typeNumbers, {
  description: Object.values(profileFieldTypes)
    .map(({ id, name }) => `${id} ${name.toLowerCase()}`)
    .join(", "),
});

/** The other services that a field of type 7 can name by `subtype` alone. */
export const externalAccounts = {
  github: {
    name: "GitHub username",
    text: "GitHub",
    hint: "",
    url_pattern: "https://github.com/%(username)s",
  },
  gitlab: {
    name: "GitLab username",
    text: "GitLab",
    hint: "",
    url_pattern: "https://gitlab.com/%(username)s",
  },
  mastodon: {
    name: "Mastodon username",
    text: "Mastodon",
    hint: "For example user@mastodon.example",
    url_pattern: "https://mastodon.social/@%(username)s",
  },
  twitter: {
    name: "Twitter username",
    text: "Twitter",
    hint: "",
    url_pattern: "https://twitter.com/%(username)s",
  },
} as const;

/** The `subtype` of a field for a service that is not in the list. */
export const CUSTOM_ACCOUNT = "custom";
/** What a `url_pattern` has in the place of the person's name at the service. */
export const USERNAME_PLACEHOLDER = "%(username)s";

/** The options of type 3 by their keys, which are also the values. */
const options = Type.Record(
  Type.String(),
  Type.Object({
    text: Type.String({ description: "What people see." }),
    order: Type.String({ description: "The option's place in the list, as a number in a string." }),
  }),
);

const externalAccount = Type.Object({
  subtype: Type.String({
    description: "A key of `realm_default_external_accounts`, or `custom` for another service.",
  }),
  url_pattern: Type.Optional(
    Type.String({
      description: `For \`custom\`: the address of a profile, with \`${USERNAME_PLACEHOLDER}\` once.`,
    }),
  ),
});

/** What fields of types 3 and 7 need to know, as a request gives it. */
export const fieldData = Type.Union([externalAccount, options]);
export type FieldData = Static<typeof fieldData>;
export type FieldOptions = Static<typeof options>;
export type ExternalAccount = Static<typeof externalAccount>;

export const profileField = Type.Object({
  id: Type.Integer({ description: "The field's ID." }),
  name: Type.String({ description: "Its label." }),
  hint: Type.String({ description: "What helps people to fill it in." }),
  type: profileFieldType,
  order: Type.Integer({ description: "Its place among the fields, which are shown in this order." }),
  field_data: Type.Optional(
    Type.String({
      description:
        "The options of type 3 or the service of type 7, as JSON; else empty. `GET /realm/profile_fields` leaves it out for type 8.",
    }),
  ),
  required: Type.Boolean({
    description: "Whether clients should ask people to fill it in. A value may be missing nevertheless.",
  }),
  editable_by_user: Type.Boolean({
    description: "Whether people may change their own value. Administrators always may change all values.",
  }),
  display_in_profile_summary: Type.Optional(
    Type.Boolean({ description: "Whether a short form of a profile has it; absent for no." }),
  ),
});

/** A field as the API sends one. */
export type ProfileFieldRecord = Static<typeof profileField>;

export const exampleProfileField: ProfileFieldRecord = {
  id: 4,
  name: "Favorite editor",
  hint: "",
  type: profileFieldTypes.SELECT.id,
  order: 2,
  field_data: '{"0":{"text":"Vim","order":"1"},"1":{"text":"Emacs","order":"2"}}',
  required: false,
  editable_by_user: true,
  display_in_profile_summary: true,
};

export const valueRules = `A text of at most ${MAX_PROFILE_SHORT_TEXT_LENGTH} characters on one line for types 1, 7 and 8; Markdown in type 1. Markdown of at most ${MAX_PROFILE_LONG_TEXT_LENGTH} characters for type 2. The key of an option for type 3. A date as YYYY-MM-DD for type 4. An http or https address of at most ${MAX_PROFILE_URL_LENGTH} characters for type 5. A list of the IDs of at most ${MAX_PROFILE_PEOPLE} people for type 6. An empty value removes what was there.`;
