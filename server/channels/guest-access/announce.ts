/**
 * The events for guests on whom they get to know, and on whom they may no longer know of. Somebody new comes
 * before all events of the change, which may name the person. Then follows what the guest did not get of the
 * person until now: the groups that they are in.
 */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { userAdded, userRemoved } from "../../../api/events/users.ts";
import type { GroupId, UserId } from "../../../api/ids.ts";
import { UNKNOWN_USER_NAME } from "../../../api/people/unknown-user.ts";
import { appendMembersAddedTo, appendMembersRemovedTo } from "../../groups/events.ts";
import { directGroupsOf } from "../../groups/group.ts";
import { settingOf } from "../../organization/setting.ts";
import { guestContacts } from "../../people/access/guest-contacts.ts";
import { presentWithProfile } from "../../people/present.ts";
import type { ProfileData, ReadProfileData } from "../../people/profile-data.ts";
import { type User, users } from "../../people/user.ts";
import type { LastHook, PlacedPatch } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { type Audience, toUsers } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { endQueuesOf } from "../../platform/queues/end-queues.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { type AccessChange, accessChangesOf, limits } from "./access-changes.ts";

export const guestAccessChanges = (readProfileData: ReadProfileData): LastHook => ({
  async run(tx, patches) {
    const changes = accessChangesOf(tx, patches);
    if (changes.length === 0) return;
    await endQueuesOfMuchChanged(tx, changes);
    const announced = changes.filter(isAnnounced);
    const gainers = byPerson(announced, ({ gained }) => gained);
    const ids = [...gainers.keys()].map(({ id }) => id);
    const profiles = ids.length > 0 ? await readProfileData(tx.state, tx, ids) : new Map();
    announceGained(tx, patches, gainers, profiles);
    announceLost(tx, announced);
  },
});

export function isAnnounced({ gained, lost }: AccessChange): boolean {
  return gained.length + lost.length <= limits.announced;
}

/** To these guests, whatever they may know of when the event is sent (see `readerFilter`). */
export function toGuests(guestIds: readonly UserId[]): Audience {
  return { ...toUsers(guestIds), isAboutAccess: true };
}

async function endQueuesOfMuchChanged(tx: Change, changes: readonly AccessChange[]): Promise<void> {
  const ended = changes.filter((change) => !isAnnounced(change)).map(({ guest }) => guest.id);
  if (ended.length === 0) return;
  await endQueuesOf(tx, ended);
  tx.appendPatch(patchOf(guestContacts, { endQueuesOf: ended }));
}

function announceGained(
  tx: Change,
  patches: readonly PlacedPatch[],
  gainers: ReadonlyMap<User, readonly UserId[]>,
  profiles: ProfileData,
): void {
  const { state } = tx;
  for (const [user, guestIds] of gainers) {
    const form = { clientGravatar: false, profileData: true, reader: user };
    const person = presentWithProfile(state, user, form, profiles);
    tx.insert(
      placeFor(state.get(users).byId.has(user.id), user, patches),
      userAdded,
      { person },
      toGuests(guestIds),
    );
  }
  for (const { groupId, userIds, guestIds } of groupsOf(tx, gainers, (user) => [user])) {
    appendMembersAddedTo(toGuests(guestIds), tx, groupId, userIds);
  }
}

function announceLost(tx: Change, changes: readonly AccessChange[]): void {
  const { byId } = tx.state.get(users);
  const losers = byPerson(changes, ({ lost }) => lost);
  // The person may have left a group in the same change, by an event that the guest no longer gets.
  const versions = (user: User) => [user, ...(byId.get(user.id) ? [byId.get(user.id) as User] : [])];
  for (const { groupId, userIds, guestIds } of groupsOf(tx, losers, versions)) {
    appendMembersRemovedTo(toGuests(guestIds), tx, groupId, userIds);
  }
  for (const [user, guestIds] of losers) {
    const person = { user_id: user.id, full_name: UNKNOWN_USER_NAME } as const;
    tx.append(userRemoved, { person }, toGuests(guestIds));
  }
}

/** Before all events, or right after the one that makes the account. */
function placeFor(isKnown: boolean, { id }: User, patches: readonly PlacedPatch[]): number {
  if (isKnown) return 0;
  const made = patches.find(
    ({ projection, patch }) =>
      projection === users.name && (patch as { put: readonly User[] }).put.some((user) => user.id === id),
  );
  return made ? made.index + 1 : 0;
}

function byPerson(
  changes: readonly AccessChange[],
  people: (change: AccessChange) => readonly User[],
): Map<User, UserId[]> {
  const found = new Map<User, UserId[]>();
  for (const change of changes) for (const user of people(change)) pushTo(found, user, change.guest.id);
  return found;
}

interface Members {
  groupId: GroupId;
  userIds: UserId[];
  guestIds: readonly UserId[];
}

/** The groups that people are in, one entry for all people of the same guests. */
function groupsOf(
  { state }: Change,
  people: ReadonlyMap<User, readonly UserId[]>,
  versions: (user: User) => readonly User[],
): Iterable<Members> {
  const waitingDays = settingOf(state, organizationSettings.waitingPeriodThreshold);
  const found = new Map<string, Members>();
  for (const [user, guestIds] of people) {
    const groupIds = new Set(
      versions(user).flatMap((version) => [...directGroupsOf(state, version, waitingDays)]),
    );
    for (const groupId of groupIds) {
      const key = `${groupId} ${guestIds.join()}`;
      const members = found.get(key);
      if (members) members.userIds.push(user.id);
      else found.set(key, { groupId, userIds: [user.id], guestIds });
    }
  }
  return found.values();
}
