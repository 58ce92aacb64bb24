import { Type } from "typebox";
import { event } from "../event.ts";
import { described, nullable, userRole } from "../fields.ts";
import { UNKNOWN_USER_NAME } from "../people/unknown-user.ts";
import { exampleUser, user } from "../people/user.ts";
import { userSettingList } from "../people/user-settings.ts";
import { roles } from "../roles.ts";
import type { UserSetting } from "../setting.ts";

const userId = Type.Integer({ description: "The user." });

export const userAdded = event({
  type: "realm_user",
  op: "add",
  description:
    "A user was created, or the user, a guest, may know of somebody from now on. Guests without `user_list_incomplete` get an unknown user for somebody new of whom they may not know.",
  payload: { person: described(user, "The user.") },
  example: { person: exampleUser },
});

export const userRemoved = event({
  type: "realm_user",
  op: "remove",
  description:
    "The user, a guest, may no longer know of somebody. A client with `user_list_incomplete` forgets the person; others show an unknown user instead.",
  payload: {
    person: Type.Object(
      { user_id: userId, full_name: Type.Literal(UNKNOWN_USER_NAME, { description: "The name to show." }) },
      { description: "Whom." },
    ),
  },
  example: { person: { user_id: 10, full_name: UNKNOWN_USER_NAME } },
});

export const userActivated = event({
  type: "realm_user",
  op: "update",
  variant: "is_active",
  description: "An account was deactivated or reactivated.",
  payload: {
    person: Type.Object(
      { user_id: userId, is_active: Type.Boolean({ description: "Whether the account is active now." }) },
      { description: "The change." },
    ),
  },
  example: { person: { user_id: 10, is_active: false } },
});

export const userRoleChanged = event({
  type: "realm_user",
  op: "update",
  variant: "role",
  description: "A user's role changed.",
  payload: { person: Type.Object({ user_id: userId, role: userRole }, { description: "The change." }) },
  example: { person: { user_id: 10, role: roles.moderator } },
});

export const botOwnerChanged = event({
  type: "realm_user",
  op: "update",
  variant: "bot_owner_id",
  description: "A bot got another owner.",
  payload: {
    person: Type.Object(
      { user_id: userId, bot_owner_id: Type.Integer({ description: "The person who owns it now." }) },
      { description: "The change." },
    ),
  },
  example: { person: { user_id: 25, bot_owner_id: 10 } },
});

export const userRenamed = event({
  type: "realm_user",
  op: "update",
  variant: "full_name",
  description: "A user's name changed.",
  payload: {
    person: Type.Object(
      { user_id: userId, full_name: Type.String({ description: "The new name." }) },
      { description: "The change." },
    ),
  },
  example: { person: { user_id: 10, full_name: "Dev Raman" } },
});

export const userEmailChanged = event({
  type: "realm_user",
  op: "update",
  variant: "new_email",
  description: "The email address by which the API knows a user changed.",
  payload: {
    person: Type.Object(
      { user_id: userId, new_email: Type.String({ description: "The new value of `email`." }) },
      { description: "The change." },
    ),
  },
  example: { person: { user_id: 10, new_email: "dev.rao@demo.test" } },
});

export const userDeliveryEmailChanged = event({
  type: "realm_user",
  op: "update",
  variant: "delivery_email",
  description: "A user's real email address changed, or whether the client may see it.",
  payload: {
    person: Type.Object(
      {
        user_id: userId,
        delivery_email: nullable(Type.String(), "The address; null if the client may no longer see it."),
      },
      { description: "The change." },
    ),
  },
  example: { person: { user_id: 10, delivery_email: null } },
});

export const userAvatarChanged = event({
  type: "realm_user",
  op: "update",
  variant: "avatar_url",
  description: "A user's picture changed.",
  payload: {
    person: Type.Object(
      {
        user_id: userId,
        avatar_source: Type.String({
          description:
            "Where the picture comes from: `U` for uploaded, `J` for drawn by the server, `G` for made from the email address by Gravatar.",
        }),
        avatar_url: nullable(
          Type.String(),
          "The address of the picture, below the organization's URL unless it is whole; null if the client computes it from the email.",
        ),
        avatar_url_medium: nullable(Type.String(), "The address of the picture in a larger size."),
        avatar_version: Type.Integer({ description: "Increases when the picture itself changes." }),
      },
      { description: "The change." },
    ),
  },
  example: {
    person: {
      user_id: 10,
      avatar_source: "U",
      avatar_url: "/user_avatars/1/9f1c2a7be04d4c55b7e6a1d2c3b4f506.png",
      avatar_url_medium: "/user_avatars/1/9f1c2a7be04d4c55b7e6a1d2c3b4f506-medium.png",
      avatar_version: 2,
    },
  },
});

export const userTimezoneChanged = event({
  type: "realm_user",
  op: "update",
  variant: "timezone",
  description: "A user's time zone changed.",
  payload: {
    person: Type.Object(
      {
        user_id: userId,
        timezone: Type.String({ description: "The IANA name of the time zone." }),
        email: Type.String({ description: "The user's email address. Deprecated." }),
      },
      { description: "The change." },
    ),
  },
  example: { person: { user_id: 10, timezone: "Europe/Oslo", email: "dev@demo.test" } },
});

export const userProfileFieldChanged = event({
  type: "realm_user",
  op: "update",
  variant: "custom_profile_field",
  description: "A person's value of a custom profile field changed.",
  payload: {
    person: Type.Object(
      {
        user_id: userId,
        custom_profile_field: Type.Object(
          {
            id: Type.Integer({ description: "The field." }),
            value: nullable(Type.String(), "The new value; null if it was removed."),
            rendered_value: Type.Optional(
              Type.String({ description: "The value as HTML, for fields that take Markdown." }),
            ),
          },
          { description: "The field and its value." },
        ),
      },
      { description: "The change." },
    ),
  },
  example: {
    person: {
      user_id: 10,
      custom_profile_field: { id: 3, value: "*Soup*", rendered_value: "<p><em>Soup</em></p>" },
    },
  },
});

const value = Type.Union([Type.Boolean(), Type.Integer(), Type.String()]);

export function userSettingsEvents(settings: readonly UserSetting[]) {
  const names = settings.map(({ name }) => name);
  const legacyNames = (type: UserSetting["legacyEvent"]) =>
    settings.filter(({ legacyEvent }) => legacyEvent === type).map(({ name }) => name);
  return {
    changed: event({
      type: "user_settings",
      op: "update",
      description: "One of the user's own settings was changed.",
      payload: {
        property: described(Type.Enum(names), "The setting, as in `PATCH /settings`."),
        value: described(value, "Its new value."),
        language_name: Type.Optional(
          Type.String({ description: "The language's own name, when `default_language` changed." }),
        ),
      },
      example: { property: "twenty_four_hour_time", value: true },
    }),
    displayChanged: event({
      type: "update_display_settings",
      description: "A display setting of the user was changed. For clients without `user_settings_object`.",
      payload: {
        user: Type.String({ description: "The user's email address." }),
        setting_name: described(Type.Enum(legacyNames("update_display_settings")), "The setting."),
        setting: described(value, "Its new value."),
        language_name: Type.Optional(
          Type.String({ description: "The language's own name, when `default_language` changed." }),
        ),
      },
      example: { user: "dev@demo.test", setting_name: "twenty_four_hour_time", setting: true },
    }),
    notificationChanged: event({
      type: "update_global_notifications",
      description:
        "A notification setting of the user was changed. For clients without `user_settings_object`.",
      payload: {
        user: Type.String({ description: "The user's email address." }),
        notification_name: described(Type.Enum(legacyNames("update_global_notifications")), "The setting."),
        setting: described(value, "Its new value."),
      },
      example: { user: "dev@demo.test", notification_name: "enable_sounds", setting: false },
    }),
  };
}

const { changed, displayChanged, notificationChanged } = userSettingsEvents(userSettingList);
export const userSettingChanged = changed;
export const displaySettingChanged = displayChanged;
export const notificationSettingChanged = notificationChanged;
