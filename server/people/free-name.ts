import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../api/errors.ts";
import { settingOf } from "../organization/setting.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { parseFullName } from "./names.ts";
import { type User, users } from "./user.ts";

/**
 * A name that a new account, or this one, can have. Throws what `parseFullName` throws, and `nameTaken` for a
 * name that is in use where the organization wants unique names.
 */
export function parseFreeName(state: OrganizationState, text: string, target?: User): string {
  const name = parseFullName(text);
  const holders = state.get(users).findByName(name);
  const isTaken = holders.some(({ id }) => id !== target?.id);
  if (isTaken && settingOf(state, organizationSettings.requireUniqueNames)) {
    throw new ApiError(errors.nameTaken, { name });
  }
  return name;
}
