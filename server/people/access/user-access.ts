/**
 * Whom a reader may know of. Everybody may know of everybody, except for guests of an organization that
 * limits them (`can_access_all_users_group`). Such a guest may know of themselves, of bots, of active people
 * with whom they share a channel, and of people with whom they have exchanged direct messages. Decision 21
 * has the reasons.
 */
import { roles } from "../../../api/roles.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { type User, users } from "../user.ts";
import { guestContacts } from "./guest-contacts.ts";

/** What higher modules know. */
export interface AccessRules {
  /** Whether the organization limits its guests. It is asked often, and must cost no more than a look-up. */
  isLimited(state: OrganizationState): boolean;
  shareChannel(state: OrganizationState, one: User, other: User): boolean;
}

/** Makes the rules known in the memory of each organization. No entry of the log changes them. */
export function accessRules(rules: AccessRules): Projection<AccessRules> {
  return { name: "access_rules", isAdvisory: true, load: async () => rules, apply() {} };
}

const rulesOf = accessRules({ isLimited: () => false, shareChannel: () => true });

/** Whether the organization limits its guests. */
export function hasLimitedGuests(state: OrganizationState): boolean {
  return state.get(rulesOf).isLimited(state);
}

export function isLimitedGuest(state: OrganizationState, reader: User): boolean {
  return reader.role >= roles.guest && hasLimitedGuests(state);
}

/** Whether the reader may know who this is. For an unknown id it is false. */
export function canAccessUser(state: OrganizationState, reader: User, user: User | undefined): boolean {
  if (!user) return false;
  if (!isLimitedGuest(state, reader) || isOpenToAll(user) || user.id === reader.id) return true;
  return (
    (user.isActive && state.get(rulesOf).shareChannel(state, reader, user)) ||
    state.get(guestContacts).has(reader.id, user.id)
  );
}

export function canAccessUserId(state: OrganizationState, reader: User, id: number): boolean {
  return !isLimitedGuest(state, reader) || canAccessUser(state, reader, state.get(users).find(id));
}

/** Bots, and the accounts of the service itself. */
export function isOpenToAll(user: User): boolean {
  return user.botType !== null || user.isSystem;
}
