import type { Static, TSchema } from "typebox";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserSetting, UserSettingValue } from "../../../api/setting.ts";
import {
  emojisetChoices,
  notificationSounds,
  userSettingList,
  userSettings,
} from "../../../api/user-settings.ts";
import type { User } from "./user.ts";

/** The setting's value: the chosen one, or its default. */
export function userSettingOf<S extends TSchema>(user: User, setting: UserSetting<S>): Static<S> {
  if (setting.name === userSettings.timezone.name) return user.timezone as Static<S>;
  const chosen = user.settings[setting.name];
  return chosen === undefined ? setting.default : (chosen as Static<S>);
}

/** A user's settings as `/register` sends them, or the defaults. */
export function presentUserSettings(
  user: User | undefined,
  settings: readonly UserSetting[] = userSettingList,
) {
  return {
    ...Object.fromEntries(
      settings.map((setting) => [setting.name, user ? userSettingOf(user, setting) : setting.default]),
    ),
    ...settingChoices,
  };
}

/** The values that a client can offer, where the settings do not say them all. */
export const settingChoices = {
  available_notification_sounds: notificationSounds,
  emojiset_choices: emojisetChoices,
};

/**
 * Checks what the schema can't: which time zones and languages this machine knows. Throws
 * `invalidSettingValue`.
 */
export function checkUserSetting(setting: UserSetting, value: UserSettingValue): void {
  const isKnown =
    setting.name === userSettings.timezone.name
      ? isTimezone(`${value}`)
      : setting.name !== userSettings.defaultLanguage.name || languageName(`${value}`) !== undefined;
  if (!isKnown) throw new ApiError(errors.invalidSettingValue, { name: setting.name });
}

/** The language's name in the language itself; undefined for an unknown code. */
export function languageName(code: string): string | undefined {
  const tag = code.replaceAll("_", "-");
  try {
    return new Intl.DisplayNames([tag], { type: "language", fallback: "none" }).of(tag);
  } catch {
    return undefined;
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
