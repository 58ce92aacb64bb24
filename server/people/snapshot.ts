import { userSettingList } from "../../api/people/user-settings.ts";
import { registerFlatSettings, registerUsers } from "../../api/register/users.ts";
import { roles } from "../../api/roles.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Preparation } from "../platform/queues/register.ts";
import { RawJson } from "../platform/std/raw-json.ts";
import { shownEmail } from "./email/email-visibility.ts";
import { avatarSource, avatarUrl, defaultSourceOf } from "./pictures/picture.ts";
import { presentSystemBot } from "./present.ts";
import type { ReadEverybodysProfileData } from "./profile-data.ts";
import {
  presentDefaultUserSettings,
  presentUserSettings,
  settingChoices,
  userSettingOf,
} from "./settings/user-setting.ts";
import { type User, users } from "./user.ts";
import { prepareUsers, writeKnownUsers } from "./user-lists.ts";
import { type RegisterSection, type Snapshot, sectionOf } from "./viewer/register-section.ts";
import type { Viewer } from "./viewer/viewer.ts";

export function userSection(readProfileData: ReadEverybodysProfileData): RegisterSection {
  const section = sectionOf(registerUsers, async (snapshot) => ({
    ...(snapshot.wants("realm_user") && {
      ...(await presentEverybody(snapshot, readProfileData)),
      ...presentMyself(snapshot.state, freshUser(snapshot)),
    }),
    ...(snapshot.wants("user_settings") && { user_settings: presentUserSettings(freshUser(snapshot)) }),
    ...(snapshot.wants("realm_user_settings_defaults") && {
      realm_user_settings_defaults: presentDefaultUserSettings(snapshot.state),
    }),
  }));
  return Object.assign(section, {
    prepare({ state, viewer, options, wants }: Preparation<Viewer>) {
      if (!viewer || !wants("realm_user")) return undefined;
      const form = { clientGravatar: options.clientGravatar, profileData: true, reader: viewer.user };
      return prepareUsers(state, form, () =>
        state.database.snapshot(async (tx) => (await readProfileData(state, tx)).data),
      );
    },
  });
}

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

function freshUser({ viewer }: Snapshot): User | undefined {
  return viewer?.user;
}

/** Without an account, a client learns of people only as the senders of messages. */
async function presentEverybody(
  { state, viewer, options, tx }: Snapshot,
  readProfileData: ReadEverybodysProfileData,
) {
  if (!viewer) {
    const nobody = new RawJson("[]");
    return { realm_users: nobody, realm_non_active_users: nobody, cross_realm_bots: [] };
  }
  const form = { clientGravatar: options.clientGravatar, profileData: true, reader: viewer.user };
  const profileData = await readProfileData(state, tx);
  const hasUnknown = options.capabilities.user_list_incomplete !== true;
  return {
    realm_users: writeKnownUsers(state, form, true, { hasUnknown, profileData }),
    realm_non_active_users: writeKnownUsers(state, form, false, { hasUnknown: false, profileData }),
    cross_realm_bots: state
      .get(users)
      .system()
      .map((bot) => presentSystemBot(state, bot, form)),
  };
}

function presentMyself(state: OrganizationState, user: User | undefined) {
  return {
    avatar_source: user ? avatarSource(state, user) : defaultSourceOf(state),
    avatar_url: user ? avatarUrl(state, user, false) : null,
    avatar_url_medium: user ? avatarUrl(state, user, false, "medium") : null,
    is_admin: user !== undefined && user.role <= roles.administrator,
    is_owner: user?.role === roles.owner,
    is_moderator: user !== undefined && user.role <= roles.moderator,
    is_guest: user === undefined || user.role === roles.guest,
    user_id: user?.id ?? -1,
    email: user ? shownEmail(state, user) : "",
    delivery_email: user?.email ?? "",
    full_name: user?.fullName ?? "",
  };
}
