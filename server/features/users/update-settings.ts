import type { UserSetting } from "../../../api/setting.ts";
import { userSettings } from "../../../api/user-settings.ts";
import type { Change } from "../../platform/log/change.ts";
import { type EventPayload, everyone, toUsers } from "../../platform/log/log-entry.ts";
import { updateUser } from "./store.ts";
import type { User } from "./user.ts";
import { checkUserSetting, languageName, userSettingOf } from "./user-setting.ts";

/**
 * Sets a user's settings; those without a value stay, and values that are set already change nothing. The user's clients hear of each, also by the older
 * events where they need them, and everybody of another time zone. Refuses names of time zones and languages that there
 * are not.
 */
export async function updateUserSettings(
  tx: Change,
  target: User,
  values: ReadonlyMap<UserSetting, unknown>,
): Promise<void> {
  const changes = [...values].filter(
    ([setting, value]) => value !== undefined && value !== userSettingOf(target, setting),
  );
  if (changes.length === 0) return;
  for (const [setting, value] of changes) checkUserSetting(setting, value);
  const next = changedUser(target, changes);
  await updateUser(tx, tx.state.organizationId, next);
  let statePatch: Record<string, unknown> | undefined = { users: { put: [next] } };
  for (const [setting, value] of changes) {
    tx.appendRaw(presentChange(setting, value), toUsers([target.id]), statePatch);
    statePatch = undefined;
    const legacy = presentLegacyChange(target, setting, value);
    if (legacy) tx.appendRaw(legacy, toUsers([target.id]));
  }
  if (next.timezone !== target.timezone) {
    const person = { user_id: target.id, timezone: next.timezone, email: target.email };
    tx.appendRaw({ type: "realm_user", op: "update", person }, everyone);
  }
}

function changedUser(target: User, changes: readonly (readonly [UserSetting, unknown])[]): User {
  const next = { ...target, settings: { ...target.settings } };
  for (const [setting, value] of changes) {
    if (setting.name === userSettings.timezone.name) next.timezone = value as string;
    else if (value === setting.default) delete next.settings[setting.name];
    else next.settings[setting.name] = value;
  }
  return next;
}

function presentChange(setting: UserSetting, value: unknown): EventPayload {
  return {
    type: "user_settings",
    op: "update",
    property: setting.name,
    value,
    ...languageOf(setting, value),
  };
}

/** COMPAT: clients without `user_settings_object` learn of settings by events that are two types older. */
function presentLegacyChange(target: User, setting: UserSetting, value: unknown): EventPayload | undefined {
  switch (setting.legacyEvent) {
    case "update_display_settings":
      return {
        type: setting.legacyEvent,
        user: target.email,
        setting_name: setting.name,
        setting: value,
        ...languageOf(setting, value),
      };
    case "update_global_notifications":
      return {
        type: setting.legacyEvent,
        user: target.email,
        notification_name: setting.name,
        setting: value,
      };
    case undefined:
      return undefined;
  }
}

function languageOf(setting: UserSetting, value: unknown) {
  return setting.name === userSettings.defaultLanguage.name
    ? { language_name: languageName(value as string) }
    : {};
}
