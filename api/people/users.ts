import { Type } from "typebox";
import { endpoint, inPath, optional, type Parameter, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { described, nullable, userRole } from "../fields.ts";
import {
  MAX_FULL_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_FULL_NAME_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "../limits.ts";
import { equal, given, type Proof } from "../proof.ts";
import { roles } from "../roles.ts";
import type { UserSetting, UserSettingSchema } from "../setting.ts";
import { exampleUser, profileData, user } from "./user.ts";
import { userSettingList } from "./user-settings.ts";

export const getOwnUser = endpoint({
  name: "getOwnUser",
  subject: "Users",
  method: "GET",
  path: "/users/me",
  access: "user",
  summary: "Get own account",
  description: "Returns the caller's own account.",
  parameters: {},
  reply: {
    avatar_url: nullable(Type.String(), "The URL of the picture."),
    avatar_version: Type.Integer({ description: "Increases when the picture changes." }),
    email: Type.String({ description: "The email address that identifies the user in the API." }),
    full_name: Type.String({ description: "The user's name." }),
    is_admin: Type.Boolean({ description: "Whether the user is an administrator or owner." }),
    is_owner: Type.Boolean({ description: "Whether the user is an owner." }),
    role: userRole,
    is_guest: Type.Boolean({ description: "Whether the user is a guest." }),
    is_bot: Type.Boolean({ description: "Whether it is a bot." }),
    is_active: Type.Boolean({ description: "Always true: a deactivated account can't call." }),
    timezone: Type.String({ description: "The IANA name of the user's time zone." }),
    date_joined: Type.String({ description: "When the account was made, as ISO 8601." }),
    max_message_id: Type.Integer({ description: "The ID of the newest message, -1 for none. Deprecated." }),
    user_id: Type.Integer({ description: "The user's ID." }),
    delivery_email: Type.String({ description: "The address that mail goes to." }),
    profile_data: Type.Optional({
      ...profileData,
      description: "Values of custom profile fields by field ID; absent for bots.",
    } as typeof profileData),
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: {
      avatar_url: "/user_avatars/drawn/41-4c-c10.png",
      avatar_version: 1,
      email: "dev@demo.test",
      full_name: "Dev Rao",
      is_admin: false,
      is_owner: false,
      role: roles.member,
      is_guest: false,
      is_bot: false,
      is_active: true,
      timezone: "Asia/Kolkata",
      date_joined: "2026-03-02T09:00:00.000+00:00",
      max_message_id: 1042,
      user_id: 10,
      delivery_email: "dev@demo.test",
      profile_data: {},
    },
  },
  sample: () => ({}),
});

export const getUsers = endpoint({
  name: "getUsers",
  subject: "Users",
  method: "GET",
  path: "/users",
  access: "user",
  summary: "Get all users",
  description: "Returns all users of the organization: people and bots, including deactivated ones.",
  parameters: {
    client_gravatar: optional(Type.Boolean(), {
      description:
        "Whether `avatar_url` is null if the client can compute it from the email; `true` by default.",
    }),
    include_custom_profile_fields: optional(Type.Boolean(), {
      description: "Whether to include the `profile_data` of people; `false` by default.",
    }),
    user_ids: optional(Type.Array(Type.Integer(), { maxItems: 100_000 }), {
      description: "Only the users with these IDs.",
    }),
  },
  reply: { members: Type.Array(user, { description: "The users." }) },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { members: [exampleUser] } },
  sample: (ids) => ({ user_ids: [ids.userId] }),
});

/** The form in which a reply shows one user. */
const oneUser = {
  parameters: {
    client_gravatar: optional(Type.Boolean(), {
      description:
        "Whether `avatar_url` is null if the client can compute it from the email; `true` by default.",
    }),
    include_custom_profile_fields: optional(Type.Boolean(), {
      description: "Whether to include the `profile_data` of a person; `false` by default.",
    }),
  },
  reply: { user: described(user, "The user.") },
};

export const getUser = endpoint({
  name: "getUser",
  subject: "Users",
  method: "GET",
  path: "/users/{user_id}",
  access: "user",
  summary: "Get a user",
  description: "Returns one person or bot, active or deactivated.",
  parameters: {
    user_id: inPath(Type.Integer({ minimum: 0 }), { description: "The person or bot." }),
    ...oneUser.parameters,
  },
  reply: oneUser.reply,
  errors: [errors.noSuchUser],
  emits: [],
  example: { parameters: { user_id: 5 }, reply: { user: exampleUser } },
  sample: (ids) => ({ user_id: ids.userId }),
});

export const getUserByEmail = endpoint({
  name: "getUserByEmail",
  subject: "Users",
  method: "GET",
  path: "/users/{email}",
  access: "user",
  summary: "Get a user by email",
  description:
    "Returns the person or bot with this email address, active or deactivated. It is the real address, if the caller may see it, or `user{user_id}@{host}`.",
  parameters: {
    email: inPath(Type.String(), { description: "An email address of the user." }),
    ...oneUser.parameters,
  },
  reply: oneUser.reply,
  errors: [errors.noSuchUser],
  emits: [],
  example: { parameters: { email: "dev@demo.test" }, reply: { user: exampleUser } },
  sample: (ids) => ({ email: ids.userEmail }),
});

export const createUser = endpoint({
  name: "createUser",
  subject: "Users",
  method: "POST",
  path: "/users",
  access: "administrator",
  summary: "Create a user",
  description:
    "Creates an account for a person, as a member who is subscribed to the default channels. All clients get an event.",
  parameters: {
    email: required(Type.String(), {
      description:
        "The person's email address. No other account may use it, and the organization must allow it.",
    }),
    password: required(Type.String(), {
      description: `The initial password, of ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    }),
    full_name: required(Type.String(), {
      description: `The person's name, of ${MIN_FULL_NAME_LENGTH} to ${MAX_FULL_NAME_LENGTH} characters.`,
    }),
  },
  reply: { user_id: Type.Integer({ description: "The new user's ID." }) },
  errors: [
    errors.invalidEmail,
    errors.emailTaken,
    errors.fullNameLength,
    errors.invalidFullName,
    errors.nameTaken,
    errors.passwordLength,
    errors.weakPassword,
    errors.emailNotAllowed,
    errors.disposableEmail,
    errors.emailWithPlus,
  ],
  emits: ["message", "subscription/add", "subscription/peer_add", "realm_user/add", "user_group/add_members"],
  example: {
    parameters: { email: "faye@demo.test", password: "<PASSWORD>", full_name: "Faye Lind" },
    reply: { user_id: 25 },
  },
  sample: (ids) => ({
    email: `${ids.freshName}@demo.test`,
    password: "a good start",
    full_name: "Faye Lind",
  }),
});

/** A path that changes the caller's own settings. */
interface SettingsPath {
  name: string;
  path: string;
  summary: string;
  description: string;
}

const ownProof: Proof = {
  rules: [
    { level: "strongest", when: { email: given }, entry: "email_change_requested" },
    { level: "strongest", when: { new_password: given }, entry: "password_changed" },
    { level: "strongest", when: { enable_login_emails: equal(false) }, entry: "login_mails_silenced" },
  ],
  passwordIn: "old_password",
};

/** The endpoint that changes the caller's own name and settings, with a parameter for each declaration. */
export function userSettingsEndpoint(
  settings: readonly UserSetting[],
  { name, path, summary, description }: SettingsPath,
) {
  const parameters: Record<string, Parameter<UserSettingSchema, false>> = {
    full_name: optional(Type.String(), {
      description: `The new name, of ${MIN_FULL_NAME_LENGTH} to ${MAX_FULL_NAME_LENGTH} characters. Where the organization does not let people change their names, only administrators can change theirs: for others the name stays, without an error.`,
    }),
  };
  parameters.email = optional(Type.String(), {
    description:
      "A new email address. A mail with a link that confirms it goes there. Until the link is opened, the address stays as it is.",
  });
  parameters.old_password = optional(Type.String(), {
    description:
      "The current password, if the call sets another one. Wrong ones count toward the limits of signing in.",
  });
  parameters.new_password = optional(Type.String(), {
    description: "The new password. All sessions of the caller end but the one of the request.",
  });
  parameters.keep_api_key = optional(Type.Boolean(), {
    description: "With another password: whether the API key stays as it is. By default it does.",
  });
  for (const setting of settings) {
    parameters[setting.name] = optional(setting.schema, { description: setting.description });
  }
  return endpoint({
    name,
    subject: "User settings",
    method: "PATCH",
    path,
    access: "user",
    proof: ownProof,
    summary,
    description,
    parameters,
    reply: {},
    errors: [
      errors.invalidSettingValue,
      errors.fullNameLength,
      errors.invalidFullName,
      errors.nameTaken,
      errors.botsNotAccepted,
      errors.emailChangesDisabled,
      errors.mailNeededForEmail,
      errors.invalidEmail,
      errors.emailNotAllowed,
      errors.emailWithPlus,
      errors.disposableEmail,
      errors.loginMailsNeeded,
      errors.passwordLength,
      errors.weakPassword,
    ],
    emits: [
      "drafts/remove",
      "realm_export_consent",
      "realm_user/update",
      "user_settings/update",
      "update_display_settings",
      "update_global_notifications",
      "user_status",
    ],
    example: { parameters: { twenty_four_hour_time: true }, reply: {} },
    sample: () => ({ twenty_four_hour_time: true }),
  });
}

const own: SettingsPath = {
  name: "updateSettings",
  path: "/settings",
  summary: "Change own settings",
  description:
    "Changes the caller's name, email address, password and all of the given settings. What is not given stays as it is. Another address gets a mail: with a link by which it becomes the caller's, or that it has an account already. The caller's clients get an event for each change of a setting. All clients get one for another name or time zone.",
};

export const updateSettings = userSettingsEndpoint(userSettingList, own);

export const updateDisplaySettings = userSettingsEndpoint(userSettingList, {
  ...own,
  name: "updateDisplaySettings",
  path: "/settings/display",
  summary: "Change own settings, for older clients",
  description:
    "Deprecated: does the same as `PATCH /settings`, for clients that have two paths for settings.",
});

export const updateNotificationSettings = userSettingsEndpoint(userSettingList, {
  ...own,
  name: "updateNotificationSettings",
  path: "/settings/notifications",
  summary: "Change own settings, for older clients of notifications",
  description:
    "Deprecated: does the same as `PATCH /settings`, for clients that have two paths for settings.",
});
