/**
 * The people whom guests get to know by direct messages, where the organization limits whom guests may know
 * of. A first message between two people is then a change of state: it makes one known to the other.
 */
import type { UserId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import { limitsGuests } from "../groups/guest-limit.ts";
import { organization } from "../organization/organization.ts";
import { type Contact, guestContacts, makeKnown } from "../people/access/guest-contacts.ts";
import { hasLimitedGuests, isOpenToAll } from "../people/access/user-access.ts";
import { users } from "../people/user.ts";
import { type BeforeCommitHook, patchesOf } from "../platform/log/before-commit-hook.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { listDirectPartners } from "./model/store.ts";

/** What a message to these people, its sender among them, makes known to guests; null: nothing. */
export function newContacts(state: OrganizationState, userIds: readonly UserId[]): Contact[] | null {
  if (!hasLimitedGuests(state)) return null;
  const { byId } = state.get(users);
  const people = userIds.flatMap((id) => byId.get(id) ?? []).filter((user) => !isOpenToAll(user));
  const known = state.get(guestContacts);
  const contacts = people
    .filter(({ role }) => role >= roles.guest)
    .flatMap((guest) => people.map((user): Contact => [guest.id, user.id]))
    .filter(([guestId, userId]) => guestId !== userId && !known.has(guestId, userId));
  return contacts.length === 0 ? null : contacts;
}

/** Finds whom guests know from earlier messages, when they become guests or guests become limited. */
export const contactsOfNewGuests: BeforeCommitHook = {
  projections: [users.name, organization.name],
  async run(tx, patches) {
    const { state } = tx;
    const settings = patchesOf(patches, organization).at(-1);
    const isLimited = settings ? limitsGuests(state, settings) : hasLimitedGuests(state);
    if (!isLimited) return;
    const { byId } = state.get(users);
    const changed = patchesOf(patches, users).flatMap(({ put }) => put);
    const becomesLimited = !hasLimitedGuests(state);
    const now = new Map(
      [...(becomesLimited ? byId.values() : []), ...changed].map((user) => [user.id, user]),
    );
    const guests = [...now.values()].filter((user) => {
      const wasGuest = (byId.get(user.id)?.role ?? roles.guest) >= roles.guest;
      return user.role >= roles.guest && (becomesLimited || !wasGuest);
    });
    if (guests.length === 0) return;
    const guestIds = guests.map(({ id }) => id);
    const partners = await listDirectPartners(tx, state.organizationId, guestIds);
    const contacts = partners
      .filter(({ userId }) => byId.get(userId)?.botType === null)
      .map(({ guestId, userId }): Contact => [guestId, userId]);
    if (contacts.length > 0) await makeKnown(tx, contacts);
  },
};
