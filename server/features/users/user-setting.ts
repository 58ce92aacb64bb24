import type { Static, TSchema } from "typebox";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserSetting } from "../../../api/setting.ts";
import {
  emojisetChoices,
  notificationSounds,
  userSettingList,
  userSettings,
} from "../../../api/user-settings.ts";
import type { User } from "./user.ts";

/** The setting's value: what the user chose, or its default. */
export function userSettingOf<S extends TSchema>(user: User, setting: UserSetting<S>): Static<S> {
  if (setting.name === userSettings.timezone.name) return user.timezone as Static<S>;
  const chosen = user.settings[setting.name];
  return chosen === undefined ? setting.default : (chosen as Static<S>);
}

/** All of a user's settings, or the defaults, as `/register` sends them. */
export function presentUserSettings(user: User | undefined): Record<string, unknown> {
  const values = userSettingList.map((setting) => [
    setting.name,
    user ? userSettingOf(user, setting) : setting.default,
  ]);
  return {
    ...Object.fromEntries(values),
    available_notification_sounds: notificationSounds,
    emojiset_choices: emojisetChoices,
  };
}

/** What the schema can't say: names that only this machine knows to exist. */
export function checkUserSetting(setting: UserSetting, value: unknown): void {
  const isKnown =
    setting.name === userSettings.timezone.name
      ? isTimezone(value as string)
      : setting.name !== userSettings.defaultLanguage.name || languageName(value as string) !== undefined;
  if (!isKnown) throw new ApiError(errors.invalidSettingValue, { name: setting.name });
}

/** What a language calls itself; undefined for a code that no language has. */
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
