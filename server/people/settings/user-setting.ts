import type { Static, TSchema } from "typebox";
import { settingsWithOrganizationDefault } from "../../../api/administration/default-user-settings.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import {
  emojisetChoices,
  notificationSounds,
  userSettingList,
  userSettings,
} from "../../../api/people/user-settings.ts";
import type { UserSetting, UserSettingValue } from "../../../api/setting.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { User } from "../user.ts";

/** The setting's value: the chosen one, or its default. */
export function userSettingOf<S extends TSchema>(user: User, setting: UserSetting<S>): Static<S> {
  if (setting.name === userSettings.timezone.name) return user.timezone as Static<S>;
  const chosen = user.settings[setting.name];
  if (chosen !== undefined) return chosen as Static<S>;
  if (!setting.isByLanguage) return setting.default;
  return writes24Hours(userSettingOf(user, userSettings.defaultLanguage)) as Static<S>;
}

/** Whether a language writes 24 hours a day. `code`: as in `default_language`. */
export function writes24Hours(code: string): boolean {
  const known = clocks.get(code);
  if (known !== undefined) return known;
  const { hourCycle } = new Intl.DateTimeFormat(code.replaceAll("_", "-"), {
    hour: "numeric",
  }).resolvedOptions();
  const found = hourCycle === "h23" || hourCycle === "h24";
  clocks.set(code, found);
  return found;
}

/** By language. Only codes that were checked come here. */
const clocks = new Map<string, boolean>();

/** With which value a person who joins now would start. */
export function defaultUserSettingOf<S extends TSchema>(
  state: OrganizationState,
  setting: UserSetting<S>,
): Static<S> {
  const chosen = state.get(organization).defaultUserSettings[setting.name];
  if (chosen !== undefined) return chosen as Static<S>;
  if (!setting.isByLanguage) return setting.default;
  return writes24Hours(settingOf(state, organizationSettings.defaultLanguage)) as Static<S>;
}

/**
 * The settings of a person who joins now, as a row holds them. They are the person's own from then on: a
 * later change of the organization's defaults changes nobody.
 */
export function initialUserSettings(state: OrganizationState): Record<string, unknown> {
  const { defaultLanguage } = userSettings;
  const language = settingOf(state, organizationSettings.defaultLanguage);
  return {
    ...state.get(organization).defaultUserSettings,
    ...(language === defaultLanguage.default ? undefined : { [defaultLanguage.name]: language }),
  };
}

/** A user's settings as `/register` sends them; without an account, the declared defaults. */
export function presentUserSettings(user: User | undefined) {
  return present(userSettingList, (setting) => (user ? userSettingOf(user, setting) : setting.default));
}

export function presentDefaultUserSettings(state: OrganizationState) {
  return present(settingsWithOrganizationDefault, (setting) => defaultUserSettingOf(state, setting));
}

function present(settings: readonly UserSetting[], choose: (setting: UserSetting) => UserSettingValue) {
  return {
    ...Object.fromEntries(settings.map((setting) => [setting.name, choose(setting)])),
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
