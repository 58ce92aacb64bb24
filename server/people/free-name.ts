import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../api/errors.ts";
import { likenessOf } from "../../api/name-likeness.ts";
import { settingOf } from "../organization/setting.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { parseFullName } from "./names.ts";
import { type User, users } from "./user.ts";

/**
 * A name that a new account, or this one, can have. Throws what `parseFullName` throws, and `nameTaken` for a
 * name that another's is like, where the organization wants unique names.
 */
export function parseFreeName(state: OrganizationState, text: string, target?: User): string {
  const name = parseFullName(text);
  const mustBeUnique = settingOf(state, organizationSettings.requireUniqueNames);
  if (mustBeUnique && name !== target?.fullName && isLikeAnother(state, name, target))
    throw new ApiError(errors.nameTaken, { name });
  return name;
}

function isLikeAnother(state: OrganizationState, name: string, target: User | undefined): boolean {
  const likeness = likenessOf(name);
  for (const { id, isActive, fullName } of state.get(users).all())
    if (isActive && id !== target?.id && likenessOf(fullName) === likeness) return true;
  return false;
}
