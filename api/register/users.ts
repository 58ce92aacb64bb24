import { type TSchema, Type } from "typebox";
import { settingsWithOrganizationDefault } from "../administration/default-user-settings.ts";
import { described, nullable } from "../fields.ts";
import { user } from "../people/user.ts";
import { userSettingList } from "../people/user-settings.ts";
import { registerSection } from "../register-section.ts";
import type { UserSetting } from "../setting.ts";

const truth = (description: string) => Type.Boolean({ description });
const text = (description: string) => Type.String({ description });

/** What a client may offer as values. */
const choices = {
  available_notification_sounds: Type.Array(Type.String(), { description: "The sounds to choose from." }),
  emojiset_choices: Type.Array(
    Type.Object({ key: text("The set, as a value of `emojiset`."), text: text("Its name for people.") }),
    { description: "The sets of emoji pictures to choose from." },
  ),
};

const settingFields = (settings: readonly UserSetting[]): Record<string, TSchema> =>
  Object.fromEntries(settings.map(({ name, schema, description }) => [name, described(schema, description)]));

export const registerUsers = registerSection({
  fields: {
    realm_users: Type.Array(user, { description: "All active people and bots." }),
    realm_non_active_users: Type.Array(user, { description: "All deactivated people and bots." }),
    cross_realm_bots: Type.Array(Type.Object({ ...user.properties, is_system_bot: truth("Always true.") }), {
      description: "The accounts of the service itself.",
    }),
    avatar_source: text(
      "Where the user's picture comes from: `U` for uploaded, `J` for drawn by the server, `G` for made from the email address by Gravatar.",
    ),
    avatar_url: nullable(Type.String(), "The address of the user's picture; null without an account."),
    avatar_url_medium: nullable(
      Type.String(),
      "The address of the picture in a larger size; null without an account.",
    ),
    is_admin: truth("Whether the user is an administrator or owner."),
    is_owner: truth("Whether the user is an owner."),
    is_moderator: truth("Whether the user is a moderator, an administrator or an owner."),
    is_guest: truth("Whether the user is a guest, or has no account."),
    user_id: Type.Integer({ description: "The user's ID; -1 without an account." }),
    email: text("The email address that the API knows the user by; empty without an account."),
    delivery_email: text("The address that mail goes to; empty without an account."),
    full_name: text("The user's name; empty without an account."),
    user_settings: Type.Object(
      { ...settingFields(userSettingList), ...choices },
      { description: "The user's settings, as in `PATCH /settings`." },
    ),
    realm_user_settings_defaults: Type.Object(
      { ...settingFields(settingsWithOrganizationDefault), ...choices },
      { description: "The settings that new people start with." },
    ),
  },
});

const flatFields: Record<string, TSchema> = {
  ...settingFields(userSettingList.filter((setting) => setting.legacyEvent !== undefined)),
  ...choices,
};

/** COMPAT: the settings once more, beside everything else, for clients without `user_settings_object`. */
export const registerFlatSettings = registerSection({ fields: flatFields });
