import {
  displaySettingChanged,
  notificationSettingChanged,
  userSettingChanged,
} from "../../../api/events/users.ts";
import { userSettingList, userSettings } from "../../../api/people/user-settings.ts";
import type { UserSetting, UserSettingValue } from "../../../api/setting.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { announceTimezone } from "../events.ts";
import { updateUser } from "../store.ts";
import { type User, users } from "../user.ts";
import { checkUserSetting, languageName, userSettingOf } from "./user-setting.ts";

/**
 * Sets a user's settings; those without a value, and those that have the value already, stay as they are. The
 * user's clients get an event for each, with the older events for older clients; everyone gets one for
 * another time zone. Throws `invalidSettingValue` for a time zone or language that this machine does not
 * know.
 */
export async function updateUserSettings(
  tx: Change,
  target: User,
  values: ReadonlyMap<UserSetting, UserSettingValue | undefined>,
): Promise<void> {
  const changes = [...values].flatMap(([setting, value]): SettingChange[] =>
    value === undefined || hasAlready(target, setting, value) ? [] : [{ setting, value }],
  );
  if (changes.length === 0) return;
  for (const { setting, value } of changes) checkUserSetting(setting, value);
  const next = withSettings(target, changes);
  await updateUser(tx, tx.state.organizationId, next);
  for (const [index, change] of changes.entries()) announceSetting(tx, next, change, index === 0);
  for (const followed of followedLanguage(target, next, changes)) announceSetting(tx, next, followed, false);
  if (next.timezone !== target.timezone) announceTimezone(tx, next);
}

/** What follows the language is another choice once it is made, though its value is the same. */
function hasAlready(target: User, setting: UserSetting, value: UserSettingValue): boolean {
  const isChosen = !setting.isByLanguage || target.settings[setting.name] !== undefined;
  return isChosen && value === userSettingOf(target, setting);
}

/** The settings that are others now because the language is. */
function followedLanguage(target: User, next: User, changes: readonly SettingChange[]): SettingChange[] {
  return userSettingList
    .filter(({ isByLanguage }) => isByLanguage)
    .filter((setting) => !changes.some((change) => change.setting.name === setting.name))
    .map((setting) => ({ setting, value: userSettingOf(next, setting) }))
    .filter(({ setting, value }) => value !== userSettingOf(target, setting));
}

interface SettingChange {
  setting: UserSetting;
  value: UserSettingValue;
}

function withSettings(target: User, changes: readonly SettingChange[]): User {
  const next = { ...target, settings: { ...target.settings } };
  for (const { setting, value } of changes) {
    if (setting.name === userSettings.timezone.name) next.timezone = `${value}`;
    else if (value === setting.default && !setting.isByLanguage) delete next.settings[setting.name];
    else next.settings[setting.name] = value;
  }
  return next;
}

/** The first of several events for one change of the user carries the patch. */
function announceSetting(tx: Change, user: User, { setting, value }: SettingChange, isFirst: boolean): void {
  const audience = toUsers([user.id]);
  const language =
    setting.name === userSettings.defaultLanguage.name ? { language_name: languageName(`${value}`) } : {};
  tx.append(
    userSettingChanged,
    { property: setting.name, value, ...language },
    audience,
    ...(isFirst ? [patchOf(users, { put: [user] })] : []),
  );
  // COMPAT: clients without `user_settings_object` learn of settings by two older types of events.
  if (setting.legacyEvent === "update_display_settings") {
    const fields = { user: user.email, setting_name: setting.name, setting: value, ...language };
    tx.append(displaySettingChanged, fields, audience);
  } else if (setting.legacyEvent === "update_global_notifications") {
    const fields = { user: user.email, notification_name: setting.name, setting: value };
    tx.append(notificationSettingChanged, fields, audience);
  }
}
