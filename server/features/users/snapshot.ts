import { registerFlatSettings, registerUsers } from "../../../api/register/users.ts";
import { roles } from "../../../api/roles.ts";
import { userSettingList } from "../../../api/user-settings.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { avatarUrl, presentSystemBot } from "./present.ts";
import { type Snapshot, sectionOf } from "./register-section.ts";
import { type User, users } from "./user.ts";
import { writeUsers } from "./user-lists.ts";
import { presentUserSettings, settingChoices, userSettingOf } from "./user-setting.ts";

export const userSection = sectionOf(registerUsers, (snapshot) => ({
  ...(snapshot.wants("realm_user") && {
    ...presentEverybody(snapshot),
    ...presentMyself(freshUser(snapshot)),
  }),
  ...(snapshot.wants("user_settings") && { user_settings: presentUserSettings(freshUser(snapshot)) }),
  ...(snapshot.wants("realm_user_settings_defaults") && {
    realm_user_settings_defaults: presentUserSettings(undefined, withOrganizationDefault),
  }),
}));

const withOrganizationDefault = userSettingList.filter((setting) => setting.hasOrganizationDefault);

/** COMPAT: clients without `user_settings_object` expect their settings at the top level. */
export const flatSettingSection = sectionOf(registerFlatSettings, (snapshot) => {
  const { options, wants } = snapshot;
  if (options.capabilities.user_settings_object) return undefined;
  const user = freshUser(snapshot);
  const fields: Record<string, unknown> = {};
  for (const setting of userSettingList) {
    if (setting.legacyEvent === undefined || !wants(setting.legacyEvent)) continue;
    fields[setting.name] = user ? userSettingOf(user, setting) : setting.default;
  }
  const { emojiset_choices, available_notification_sounds } = settingChoices;
  if (wants("update_display_settings")) fields.emojiset_choices = emojiset_choices;
  if (wants("update_global_notifications"))
    fields.available_notification_sounds = available_notification_sounds;
  return fields;
});

/** The memory may be newer than the viewer of the request. */
function freshUser({ state, viewer }: Snapshot): User | undefined {
  return viewer && state.get(users).byId.get(viewer.user.id);
}

/** Without an account, a client learns of people only as the senders of messages. */
function presentEverybody({ state, viewer, options }: Snapshot) {
  const form = { clientGravatar: options.clientGravatar, profileData: true };
  const nobody = new RawJson("[]");
  return {
    realm_users: viewer ? writeUsers(state, form, true) : nobody,
    realm_non_active_users: viewer ? writeUsers(state, form, false) : nobody,
    cross_realm_bots: viewer
      ? state
          .get(users)
          .system()
          .map((bot) => presentSystemBot(bot, form))
      : [],
  };
}

function presentMyself(user: User | undefined) {
  return {
    // Every picture is made from the email address.
    avatar_source: "G",
    avatar_url: user ? avatarUrl(user, false) : null,
    avatar_url_medium: user ? avatarUrl(user, false, "medium") : null,
    is_admin: user !== undefined && user.role <= roles.administrator,
    is_owner: user?.role === roles.owner,
    is_moderator: user !== undefined && user.role <= roles.moderator,
    is_guest: user === undefined || user.role === roles.guest,
    user_id: user?.id ?? -1,
    email: user?.email ?? "",
    delivery_email: user?.email ?? "",
    full_name: user?.fullName ?? "",
  };
}
