import type { UserSetting, UserSettingValue } from "../../../api/setting.ts";
import { changeDefaultUserSettings } from "../../organization/actions.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { defaultUserSettingOf } from "../../people/settings/user-setting.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";

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
    value === undefined || value === defaultUserSettingOf(tx.state, setting) ? [] : [{ setting, value }],
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
