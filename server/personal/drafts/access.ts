import { ApiError, errors } from "../../../api/errors.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";

/** Whether the user's drafts are kept on the server. */
export function keepsDrafts(user: User): boolean {
  return userSettingOf(user, userSettings.enableDraftsSynchronization);
}

/** Throws `draftsDisabled` for a user whose drafts are not kept on the server. */
export function checkKeepsDrafts(user: User): void {
  if (!keepsDrafts(user)) throw new ApiError(errors.draftsDisabled);
}
