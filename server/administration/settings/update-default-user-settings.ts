import { settingsWithOrganizationDefault } from "../../../api/administration/default-user-settings.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { UserSetting, UserSettingValue } from "../../../api/setting.ts";
import { announceDefaultUserSetting, changeDefaultUserSettings } from "../../organization/actions.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { defaultUserSettingOf, writes24Hours } from "../../people/settings/user-setting.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/**
 * Changes with which settings people who join later start, and announces the changed ones to everyone. A
 * setting without a value stays as it is. Throws `mustBeAdministrator`.
 */
export async function updateDefaultUserSettings(
  tx: ViewerChange,
  values: ReadonlyMap<UserSetting, UserSettingValue | undefined>,
): Promise<void> {
  checkAdministrator(tx.viewer);
  const changes = [...values].flatMap(([setting, value]) =>
    value === undefined || hasAlready(tx.state, setting, value) ? [] : [{ setting, value }],
  );
  if (changes.length === 0) return;
  const audited = changes.map(({ setting, value }) => [
    setting.name,
    { old: defaultUserSettingOf(tx.state, setting), new: value },
  ]);
  await recordAudit(tx, {
    action: "default_user_settings_updated",
    changes: Object.fromEntries(audited),
  });
  await changeDefaultUserSettings(tx, changes);
}

/** What follows the language is another choice once it is made, though its value is the same. */
function hasAlready(state: OrganizationState, setting: UserSetting, value: UserSettingValue): boolean {
  const isChosen =
    !setting.isByLanguage || state.get(organization).defaultUserSettings[setting.name] !== undefined;
  return isChosen && value === defaultUserSettingOf(state, setting);
}

/** Tells everyone of the defaults that are others once the organization's language is `language`. */
export function announceDefaultsByLanguage(tx: ViewerChange, language: string): void {
  const after = writes24Hours(language);
  if (after === writes24Hours(settingOf(tx.state, organizationSettings.defaultLanguage))) return;
  const { defaultUserSettings } = tx.state.get(organization);
  for (const { name, isByLanguage } of settingsWithOrganizationDefault) {
    if (!isByLanguage || defaultUserSettings[name] !== undefined) continue;
    announceDefaultUserSetting(tx, name, after);
  }
}
