/**
 * Who sees a person's real email address. The person decides by a setting. `email`, by which the API knows a
 * user, is the same for every reader: the real address, or one that stands for a hidden one. `delivery_email`
 * is for readers who may see the real address. The addresses of bots are visible to everyone.
 */

import { userSettings } from "../../../api/people/user-settings.ts";
import { type Role, roles } from "../../../api/roles.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { userSettingOf } from "../settings/user-setting.ts";
import type { User } from "../user.ts";
import { hiddenEmail } from "./hidden-email.ts";

const EVERYONE = 1;

/** The lowest role that sees an address, by the values of the setting. Nobody has the role 0. */
const lowestRole: Record<number, number> = {
  [EVERYONE]: roles.guest,
  2: roles.member,
  3: roles.administrator,
  4: 0,
  5: roles.moderator,
};

/** The value of the setting that counts. */
export function emailLevelOf(user: User): number {
  return user.botType === null ? userSettingOf(user, userSettings.emailAddressVisibility) : EVERYONE;
}

export function hasPublicEmail(user: User): boolean {
  return emailLevelOf(user) === EVERYONE;
}

/** Whether a reader sees the real address of a user. Everyone sees their own. */
export function canSeeEmail(reader: User, user: User, level = emailLevelOf(user)): boolean {
  return reader.id === user.id || roleSeesEmail(reader.role, user, level);
}

export function roleSeesEmail(role: Role, user: User, level = emailLevelOf(user)): boolean {
  return role <= (lowestRole[level] ?? 0);
}

/** The address by which the API knows a user. */
export function shownEmail(state: OrganizationState, user: User): string {
  return hasPublicEmail(user) ? user.email : hiddenEmail(state, user);
}
