import {
  defaultUserSettingChanged,
  organizationUpdated,
  organizationUpdatedTogether,
} from "../../api/events/organization.ts";
import type { SettingValue, UserSetting, UserSettingValue } from "../../api/setting.ts";
import type { Change } from "../platform/log/change.ts";
import { everyone, type StatePatch } from "../platform/log/log-entry.ts";
import { patchOf } from "../platform/log/projection.ts";
import { organization } from "./organization.ts";
import { updateDefaultUserSettings, updateOrganization } from "./store.ts";

/** The events for a change: properties with an event each, and properties that share one event. */
export interface AnnouncedChange {
  alone: readonly { property: string; value: SettingValue }[];
  together: Readonly<Record<string, unknown>>;
}

/**
 * Writes a change of the organization and announces it to everyone. `settings` holds the chosen values;
 * undefined gives a setting its default again. Something must be announced.
 */
export async function changeOrganization(
  tx: Change,
  changed: { name?: string; settings: Readonly<Record<string, unknown>> },
  { alone, together }: AnnouncedChange,
): Promise<void> {
  const before = tx.state.get(organization);
  const settings = { ...before.settings, ...changed.settings };
  for (const [name, value] of Object.entries(settings)) if (value === undefined) delete settings[name];
  const next = { ...before, name: changed.name ?? before.name, settings };
  await updateOrganization(tx, next.id, next);
  let patches: StatePatch[] = [patchOf(organization, next)];
  for (const fields of alone) {
    tx.append(organizationUpdated, fields, everyone, ...patches);
    patches = [];
  }
  if (Object.keys(together).length > 0) announceTogether(tx, together, ...patches);
}

/**
 * Writes with which settings people who join later start, and announces each change to everyone. There must
 * be a change.
 */
export async function changeDefaultUserSettings(
  tx: Change,
  changes: readonly { setting: UserSetting; value: UserSettingValue }[],
): Promise<void> {
  const before = tx.state.get(organization);
  const defaultUserSettings = { ...before.defaultUserSettings };
  for (const { setting, value } of changes) {
    if (value === setting.default && !setting.isByLanguage) delete defaultUserSettings[setting.name];
    else defaultUserSettings[setting.name] = value;
  }
  await updateDefaultUserSettings(tx, before.id, defaultUserSettings);
  let patches: StatePatch[] = [patchOf(organization, { ...before, defaultUserSettings })];
  for (const { setting, value } of changes) {
    announceDefaultUserSetting(tx, setting.name, value, ...patches);
    patches = [];
  }
}

/** Also for a default that is another one because what it follows is. */
export function announceDefaultUserSetting(
  tx: Change,
  property: string,
  value: UserSettingValue,
  ...patches: readonly StatePatch[]
): void {
  tx.append(defaultUserSettingChanged, { property, value }, everyone, ...patches);
}

/** Announces settings that come in one event, by the names of `PATCH /realm`. */
export function announceTogether(
  tx: Change,
  data: Readonly<Record<string, unknown>>,
  ...patches: readonly StatePatch[]
): void {
  tx.append(organizationUpdatedTogether, { property: "default", data }, everyone, ...patches);
}
