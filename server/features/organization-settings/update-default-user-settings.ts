import type { UserSetting, UserSettingValue } from "../../../api/setting.ts";
import { changeDefaultUserSettings } from "../organization/actions.ts";
import type { ViewerChange } from "../users/change.ts";
import { checkAdministrator } from "../users/current-viewer.ts";
import { defaultUserSettingOf } from "../users/user-setting.ts";

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
  if (changes.length > 0) await changeDefaultUserSettings(tx, changes);
}
