/** A person or bot, as other users see it. */

import { type Static, Type } from "typebox";
import { nullable, userRole } from "../fields.ts";
import { roles } from "../roles.ts";

export const profileData = Type.Record(
  Type.String(),
  Type.Object({
    value: Type.String({ description: "The value." }),
    rendered_value: Type.Optional(
      Type.String({ description: "The value as HTML, for fields that take Markdown." }),
    ),
  }),
);

export const user = Type.Object({
  user_id: Type.Integer({ description: "The user's ID." }),
  email: Type.String({ description: "The email address that identifies the user in the API." }),
  delivery_email: nullable(
    Type.String(),
    "The user's real email address; null if the caller may not see it.",
  ),
  full_name: Type.String({ description: "The user's name." }),
  date_joined: Type.String({ description: "When the account was created, in ISO 8601 format." }),
  is_active: Type.Boolean({ description: "False for a deactivated account." }),
  is_owner: Type.Boolean({ description: "Whether the user is an owner of the organization." }),
  is_admin: Type.Boolean({ description: "Whether the user is an administrator or owner." }),
  is_guest: Type.Boolean({ description: "Whether the user is a guest." }),
  is_bot: Type.Boolean({ description: "Whether the user is a bot." }),
  bot_type: nullable(Type.Integer(), "1 generic, 2 incoming webhook, 3 outgoing webhook; null for a person."),
  bot_owner_id: nullable(Type.Integer(), "The user who owns the bot; null for a person."),
  role: userRole,
  timezone: Type.String({ description: "The IANA name of the user's time zone." }),
  avatar_url: nullable(
    Type.String(),
    "The URL of the picture, below the organization's URL unless it is whole; null if the client computes it from the email.",
  ),
  avatar_version: Type.Integer({ description: "Increases when the picture changes." }),
  profile_data: Type.Optional({
    ...profileData,
    description: "Values of custom profile fields by field ID; only for people, and only if requested.",
  } as typeof profileData),
});

/** A user as the API sends one. */
export type UserRecord = Static<typeof user>;

export const exampleUser = {
  user_id: 10,
  email: "dev@demo.test",
  delivery_email: "dev@demo.test",
  full_name: "Dev Rao",
  date_joined: "2026-03-02T09:00:00.000+00:00",
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: roles.member,
  timezone: "Asia/Kolkata",
  avatar_url: null,
  avatar_version: 1,
};
