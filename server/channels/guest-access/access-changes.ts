/**
 * Whom guests get to know, and whom they may no longer know of, by a change of state. The rule is that of
 * `canAccessUser`. It is asked twice: of the memory, and of the memory with the patches of the change.
 */
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { limitsGuests } from "../../groups/guest-limit.ts";
import { organization } from "../../organization/organization.ts";
import { guestContacts } from "../../people/access/guest-contacts.ts";
import { canAccessUser, hasLimitedGuests, isOpenToAll } from "../../people/access/user-access.ts";
import { type User, users } from "../../people/user.ts";
import { type PlacedPatch, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { subscribers } from "../subscriptions/subscribers.ts";

/**
 * How many people a change can make known, or unknown, to one guest by events. Past that, the guest's queues
 * end, and clients register again. Tests lower it.
 */
export const limits = { announced: 1000 };

/** With more than `limits.announced` people it is not complete. */
export interface AccessChange {
  /** As they are after the change, like all people here. */
  guest: User;
  gained: readonly User[];
  lost: readonly User[];
}

const found = new WeakMap<Change, readonly AccessChange[]>();

/**
 * Several hooks ask for them, and they are found once. Only active accounts that are not new have event
 * queues.
 */
export function accessChangesOf(tx: Change, patches: readonly PlacedPatch[]): readonly AccessChange[] {
  let changes = found.get(tx);
  if (!changes) {
    changes = findChanges(tx.state, patches);
    found.set(tx, changes);
  }
  return changes;
}

function findChanges(state: OrganizationState, patches: readonly PlacedPatch[]): AccessChange[] {
  const settings = patchesOf(patches, organization).at(-1);
  const willBeLimited = settings ? limitsGuests(state, settings) : hasLimitedGuests(state);
  if (!willBeLimited && !hasLimitedGuests(state)) return [];
  const after = new StateAfter(state, patches, willBeLimited);
  const changes: AccessChange[] = [];
  for (const [guest, people] of candidates(state, after)) {
    const before = state.get(users).byId.get(guest.id) as User;
    const gained: User[] = [];
    const lost: User[] = [];
    for (const id of people) {
      const user = after.user(id);
      if (!user || isOpenToAll(user)) continue;
      const could = canAccessUser(state, before, state.get(users).byId.get(id));
      const can = after.canAccess(guest, user);
      if (can && !could) gained.push(user);
      if (could && !can) lost.push(user);
      if (gained.length + lost.length > limits.announced) break;
    }
    if (gained.length + lost.length > 0) changes.push({ guest, gained, lost });
  }
  return changes;
}

/** The people of whom a change may say something new to a guest. */
function candidates(state: OrganizationState, after: StateAfter): Map<User, Set<UserId>> {
  const of = new Map<User, Set<UserId>>();
  for (const guest of after.guests) {
    const wasGuest = (state.get(users).byId.get(guest.id) as User).role >= roles.guest;
    const isSwitched =
      (wasGuest && hasLimitedGuests(state)) !== (guest.role >= roles.guest && after.isLimited);
    const ids = new Set(isSwitched ? after.everybody() : []);
    for (const id of after.contactsOf(guest.id)) ids.add(id);
    for (const [channelId, changed] of after.changedSubscribers) {
      if (changed.has(guest.id)) {
        for (const id of [...state.get(subscribers).of(channelId), ...changed.keys()]) ids.add(id);
      } else if (state.get(subscribers).has(channelId, guest.id)) {
        for (const id of changed.keys()) ids.add(id);
      }
    }
    for (const { id } of after.switchedAccounts) ids.add(id);
    ids.delete(guest.id);
    if (ids.size > 0) of.set(guest, ids);
  }
  return of;
}

/** Memory with the patches of a change. */
class StateAfter {
  readonly isLimited: boolean;
  readonly changedSubscribers = new Map<ChannelId, Map<UserId, boolean>>();
  /** The accounts that the change makes, deactivates or reactivates. */
  readonly switchedAccounts: readonly User[];
  /** Active people who are or were guests. */
  readonly guests: readonly User[];
  readonly #state: OrganizationState;
  readonly #users: ReadonlyMap<UserId, User>;
  readonly #contacts = new Map<UserId, Set<UserId>>();

  constructor(state: OrganizationState, patches: readonly PlacedPatch[], isLimited: boolean) {
    this.#state = state;
    this.isLimited = isLimited;
    const put = patchesOf(patches, users).flatMap((patch) => patch.put);
    this.#users = new Map(put.map((user) => [user.id, user]));
    for (const { channelId, added = [], removed = [] } of patchesOf(patches, subscribers).flat()) {
      for (const userId of added) this.#changeSubscriber(channelId, userId, true);
      for (const userId of removed) this.#changeSubscriber(channelId, userId, false);
    }
    for (const [guestId, userId] of patchesOf(patches, guestContacts).flatMap(({ add = [] }) => add)) {
      this.#contacts.set(guestId, (this.#contacts.get(guestId) ?? new Set()).add(userId));
    }
    const { byId } = state.get(users);
    this.switchedAccounts = [...this.#users.values()].filter(
      (user) => byId.get(user.id)?.isActive !== user.isActive,
    );
    this.guests = [...byId.values()].flatMap((before) => {
      const user = this.user(before.id) as User;
      const isGuest = Math.max(before.role, user.role) >= roles.guest;
      return isGuest && before.isActive && user.isActive ? [user] : [];
    });
  }

  user(id: UserId): User | undefined {
    return this.#users.get(id) ?? this.#state.get(users).byId.get(id);
  }

  *everybody(): Iterable<UserId> {
    yield* this.#state.get(users).byId.keys();
    yield* this.#users.keys();
  }

  contactsOf(guestId: UserId): Iterable<UserId> {
    return this.#contacts.get(guestId) ?? [];
  }

  canAccess(guest: User, user: User): boolean {
    if (!this.isLimited || guest.role < roles.guest) return true;
    return (
      (user.isActive && this.#shareChannel(guest.id, user.id)) ||
      this.#contacts.get(guest.id)?.has(user.id) === true ||
      this.#state.get(guestContacts).has(guest.id, user.id)
    );
  }

  #shareChannel(one: UserId, other: UserId): boolean {
    const touched = this.changedSubscribers.keys();
    for (const channelId of new Set([...this.#state.get(subscribers).channelsOf(one), ...touched])) {
      if (this.#isSubscribed(channelId, one) && this.#isSubscribed(channelId, other)) return true;
    }
    return false;
  }

  #isSubscribed(channelId: ChannelId, userId: UserId): boolean {
    const changed = this.changedSubscribers.get(channelId)?.get(userId);
    return changed ?? this.#state.get(subscribers).has(channelId, userId);
  }

  #changeSubscriber(channelId: ChannelId, userId: UserId, isSubscribed: boolean): void {
    const changed = this.changedSubscribers.get(channelId) ?? new Map<UserId, boolean>();
    this.changedSubscribers.set(channelId, changed.set(userId, isSubscribed));
  }
}
