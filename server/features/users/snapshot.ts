import { roles } from "../../../api/roles.ts";
import { userSettingList } from "../../../api/user-settings.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { avatarUrl, presentSystemBot } from "./present.ts";
import type { RegisterSection, Snapshot } from "./register-section.ts";
import { type User, users } from "./user.ts";
import { writeUsers } from "./user-lists.ts";
import { presentUserSettings } from "./user-setting.ts";

export const userSection: RegisterSection = (snapshot) => {
  const { state, viewer, options } = snapshot;
  // The viewer of a held memory may be older than the memory itself.
  const user = viewer && state.get(users).byId.get(viewer.user.id);
  return {
    ...(snapshot.wants("realm_user") ? { ...presentEverybody(snapshot), ...presentMyself(user) } : undefined),
    ...(snapshot.wants("user_settings") ? { user_settings: presentUserSettings(user) } : undefined),
    ...(snapshot.wants("realm_user_settings_defaults")
      ? { realm_user_settings_defaults: presentDefaults() }
      : undefined),
    ...(options.capabilities.user_settings_object ? undefined : presentFlatSettings(snapshot, user)),
  };
};

/** Someone without an account learns who wrote from the messages, and of nobody else. */
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
    // Everybody's picture comes from the email address until one is uploaded.
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

function presentDefaults(): Record<string, unknown> {
  const all = presentUserSettings(undefined);
  for (const { name, hasOrganizationDefault } of userSettingList)
    if (!hasOrganizationDefault) delete all[name];
  return all;
}

/** COMPAT: clients without `user_settings_object` look for their settings beside everything else. */
function presentFlatSettings(snapshot: Snapshot, user: User | undefined): Record<string, unknown> {
  const all = presentUserSettings(user);
  const flat: Record<string, unknown> = {};
  for (const { name, legacyEvent } of userSettingList) {
    if (legacyEvent !== undefined && snapshot.wants(legacyEvent)) flat[name] = all[name];
  }
  if (snapshot.wants("update_display_settings")) flat.emojiset_choices = all.emojiset_choices;
  if (snapshot.wants("update_global_notifications")) {
    flat.available_notification_sounds = all.available_notification_sounds;
  }
  return flat;
}
