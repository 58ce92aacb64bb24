/**
 * The people with whom guests have exchanged direct messages, while the organization limits whom guests may
 * know of. Conversations are rows, so this is what each node keeps in memory of them.
 */

import type { UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { type Projection, patchOf } from "../../platform/log/projection.ts";
import { queuesOf, removeQueue } from "../../platform/queues/organization-queues.ts";
import { insertGuestContacts, listGuestContacts } from "./guest-contact-store.ts";

/** A guest, and somebody whom the guest gets to know. */
export type Contact = readonly [guestId: UserId, userId: UserId];

export class GuestContacts {
  readonly #ofGuest = new Map<UserId, Set<UserId>>();

  has(guestId: UserId, userId: UserId): boolean {
    return this.#ofGuest.get(guestId)?.has(userId) === true;
  }

  add([guestId, userId]: Contact): void {
    const known = this.#ofGuest.get(guestId);
    if (known) known.add(userId);
    else this.#ofGuest.set(guestId, new Set([userId]));
  }
}

export interface GuestContactsPatch {
  /** They are never forgotten, like the messages themselves. */
  add?: readonly Contact[];
  /** Guests whose event queues end: too much changes for them at once. */
  endQueuesOf?: readonly UserId[];
}

/**
 * Makes people known to guests. Only for a change of state; a hook of the module `guest-access` sends events.
 */
export async function makeKnown(tx: Change, contacts: readonly Contact[]): Promise<void> {
  await insertGuestContacts(tx, tx.state.organizationId, contacts);
  tx.appendPatch(patchOf(guestContacts, { add: contacts }));
}

export const guestContacts: Projection<GuestContacts, GuestContactsPatch> = {
  name: "guest_contacts",
  async load(tx, organizationId) {
    const contacts = new GuestContacts();
    for (const { guestId, userId } of await listGuestContacts(tx, organizationId)) {
      contacts.add([guestId, userId]);
    }
    return contacts;
  },
  apply(value, { add = [], endQueuesOf = [] }, state) {
    for (const contact of add) value.add(contact);
    for (const userId of endQueuesOf) {
      for (const queue of queuesOf(state).ofUser(userId)) removeQueue(state, queue);
    }
  },
};
