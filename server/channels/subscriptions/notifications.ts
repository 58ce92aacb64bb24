import { userSettings } from "../../../api/people/user-settings.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import type { PersonalFields } from "../present.ts";

/** Replaces null by the account's own settings, for clients without `notification_settings_null`. */
export function resolveNotifications<T extends PersonalFields>(user: User, fields: T): T {
  return {
    ...fields,
    desktop_notifications:
      fields.desktop_notifications ?? userSettingOf(user, userSettings.enableStreamDesktopNotifications),
    audible_notifications:
      fields.audible_notifications ?? userSettingOf(user, userSettings.enableStreamAudibleNotifications),
    push_notifications:
      fields.push_notifications ?? userSettingOf(user, userSettings.enableStreamPushNotifications),
    email_notifications:
      fields.email_notifications ?? userSettingOf(user, userSettings.enableStreamEmailNotifications),
    wildcard_mentions_notify:
      fields.wildcard_mentions_notify ?? userSettingOf(user, userSettings.wildcardMentionsNotify),
  };
}
