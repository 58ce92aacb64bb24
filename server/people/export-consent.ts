import { type ExportType, exportTypes } from "../../api/administration/exports.ts";
import type { UserId } from "../../api/ids.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { userSettingOf } from "./settings/user-setting.ts";
import { type User, users } from "./user.ts";

/** Whether an export may include the person's private data. */
export function hasConsented(user: User): boolean {
  return canConsent(user) && userSettingOf(user, userSettings.allowPrivateDataExport);
}

/** Whether it is for the account to say. */
export function canConsent(user: User): boolean {
  return user.isActive && user.botType === null && !user.isSystem;
}

/** The people whose private data an export of this type may include. Nobody's is in a public one. */
export function consentingTo(state: OrganizationState, type: ExportType): ReadonlySet<UserId> {
  if (type === exportTypes.public) return new Set();
  return new Set([...state.get(users).all()].filter(hasConsented).map(({ id }) => id));
}
