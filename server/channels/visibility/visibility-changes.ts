/**
 * The right to know of a channel follows from its privacy, from roles, and from the groups that its
 * permissions name. When one of these changes, users who gain a channel get it with its subscribers, and
 * users who lose it get its `delete`. Subscribing and unsubscribing append these events themselves.
 */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { ChannelId, GroupId, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { accountsAfter } from "../../groups/account-changes.ts";
import { type GroupsPatch, groups, isMember } from "../../groups/group.ts";
import { preview } from "../../groups/preview.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { type User, users } from "../../people/user.ts";
import { type BeforeCommitHook, type NamedPatch, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { canSeeChannel, visibilityPermissions } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { appendChannelsCreated, appendChannelsDeleted, appendPeersAdded } from "../events.ts";
import { readHistoriesToAnnounce } from "../history/history.ts";
import { channelPermissionOf } from "../permissions.ts";
import { presentChannel } from "../present.ts";
import { subscriberList } from "../subscriptions/subscriber-lists.ts";
import { toThesePeople } from "./audiences.ts";

export const visibilityChanges: BeforeCommitHook = {
  projections: [channels.name, groups.name, users.name, organization.name],
  async run(tx, patches) {
    const change = new ChannelAccessChange(tx.state, patches, visibility);
    const { gained, lost } = change.differences();
    await announceGained(tx, change, gained);
    for (const { channelIds, userIds } of lost) {
      appendChannelsDeleted(tx, channelIds, toUsers(userIds));
    }
  },
};

/** Channels that the same people gain or lose. */
export interface Difference {
  channelIds: ChannelId[];
  userIds: UserId[];
}

/** How much of a channel a person may have; 0 is nothing. */
export type LevelOf = (state: OrganizationState, user: User, channel: Channel) => number;

const visibility: LevelOf = (state, user, channel) => (canSeeChannel(state, user, channel) ? 1 : 0);

/** The organization before and after a transaction, and who gains or loses channels by it. */
export class ChannelAccessChange {
  readonly before: OrganizationState;
  readonly after: OrganizationState;
  readonly #channels: ReadonlyMap<ChannelId, Channel>;
  readonly #users: ReadonlyMap<UserId, User>;
  readonly #groupPatches: readonly GroupsPatch[];
  /** The people who may be affected, by channel, so that only they are checked. */
  readonly #doubts = new Map<ChannelId, Set<UserId>>();
  readonly #levelOf: LevelOf;

  constructor(state: OrganizationState, patches: readonly NamedPatch[], levelOf: LevelOf) {
    this.#levelOf = levelOf;
    this.before = state;
    this.after = preview(state, patches);
    this.#groupPatches = patchesOf(patches, groups);
    this.#users = accountsAfter(patches);
    const put = patchesOf(patches, channels).flatMap((patch) => patch.put);
    this.#channels = new Map(put.map((channel) => [channel.id, channel]));
  }

  channel(id: ChannelId): Channel {
    return this.#channels.get(id) ?? (this.before.get(channels).byId.get(id) as Channel);
  }

  differences(): { gained: Difference[]; lost: Difference[] } {
    this.#doubtChangedChannels();
    this.#doubtChangedUsers();
    this.#doubtChangedGroups();
    const gained = new Map<string, Difference>();
    const lost = new Map<string, Difference>();
    for (const [channelId, userIds] of this.#doubts) {
      const came = [...userIds].filter((id) => this.#had(id, channelId) < this.#willHave(id, channelId));
      const went = [...userIds].filter((id) => this.#had(id, channelId) > this.#willHave(id, channelId));
      addDifference(gained, channelId, came);
      addDifference(lost, channelId, went);
    }
    return { gained: [...gained.values()], lost: [...lost.values()] };
  }

  #had(userId: UserId, channelId: ChannelId): number {
    const user = this.before.get(users).byId.get(userId) as User;
    return this.#levelOf(this.before, user, this.before.get(channels).byId.get(channelId) as Channel);
  }

  #willHave(userId: UserId, channelId: ChannelId): number {
    const user = this.#users.get(userId) ?? (this.before.get(users).byId.get(userId) as User);
    return this.#levelOf(this.after, user, this.channel(channelId));
  }

  /** A new channel has its own event. */
  #doubtChangedChannels(): void {
    for (const after of this.#channels.values()) {
      const before = this.before.get(channels).byId.get(after.id);
      if (!before || accessOf(this.before, before) === accessOf(this.after, after)) continue;
      for (const user of this.before.get(users).all()) if (user.isActive) this.#doubt(after.id, user.id);
    }
  }

  /** An account that is made, deactivated or reactivated has no client that needs an event. */
  #doubtChangedUsers(): void {
    for (const after of this.#users.values()) {
      const before = this.before.get(users).byId.get(after.id);
      if (!before?.isActive || !after.isActive || before.role === after.role) continue;
      for (const { id } of this.before.get(channels).all()) this.#doubt(id, after.id);
    }
  }

  #doubtChangedGroups(): void {
    const affected = this.#affectedGroups();
    if (affected.size === 0) return;
    const named = new Set<GroupId>();
    const channelIds: ChannelId[] = [];
    for (const channel of this.before.get(channels).all()) {
      if (!channel.isPrivate) continue;
      const ids = groupsNamedBy(this.before, channel).filter((id) => affected.has(id));
      for (const id of ids) named.add(id);
      if (ids.length > 0) channelIds.push(channel.id);
    }
    if (channelIds.length === 0) return;
    for (const user of this.before.get(users).all()) {
      if (!user.isActive || user.role >= roles.guest) continue;
      const isMoved = (id: GroupId) => isMember(this.before, id, user) !== isMember(this.after, id, user);
      if ([...named].some(isMoved)) for (const channelId of channelIds) this.#doubt(channelId, user.id);
    }
  }

  /** Groups whose members may have changed: the changed groups, and all groups that contain them. */
  #affectedGroups(): Set<GroupId> {
    const ids = this.#groupPatches.flatMap(({ change = [] }) =>
      change
        .filter(
          (each) =>
            each.added ||
            each.removed ||
            each.addedSubgroups ||
            each.removedSubgroups ||
            each.fields?.isActive !== undefined,
        )
        .map(({ id }) => id),
    );
    const threshold = organizationSettings.waitingPeriodThreshold;
    if (settingOf(this.before, threshold) !== settingOf(this.after, threshold)) {
      ids.push(this.before.get(groups).system("fullMembers").id);
    }
    const containing = (state: OrganizationState) =>
      ids.flatMap((id) => state.get(groups).closure.containing(id));
    return ids.length === 0 ? new Set() : new Set([...containing(this.before), ...containing(this.after)]);
  }

  #doubt(channelId: ChannelId, userId: UserId): void {
    const userIds = this.#doubts.get(channelId);
    if (userIds) userIds.add(userId);
    else this.#doubts.set(channelId, new Set([userId]));
  }
}

/** Appends the channels that people may now know of, and their subscribers. */
export async function announceGained(
  tx: Change,
  change: Pick<ChannelAccessChange, "after" | "channel">,
  gained: readonly Difference[],
): Promise<void> {
  if (gained.length === 0) return;
  const all = gained.flatMap(({ channelIds }) => channelIds).map((id) => change.channel(id));
  const historyOf = await readHistoriesToAnnounce(tx, all);
  for (const { channelIds, userIds } of gained) {
    const streams = channelIds.map((id) => {
      const channel = change.channel(id);
      // The subscribers follow directly, and are counted there.
      return presentChannel(change.after, channel, { history: historyOf(channel), subscriberCount: 0 });
    });
    appendChannelsCreated(tx, streams, toThesePeople(channelIds, userIds));
    for (const id of channelIds) tellSubscribers(tx, id, userIds);
  }
}

function tellSubscribers(tx: Change, channelId: ChannelId, userIds: readonly UserId[]): void {
  const { ids } = subscriberList(tx.state, channelId);
  if (ids.length === 0) return;
  appendPeersAdded(tx, [channelId], ids, toThesePeople([channelId], userIds));
}

function addDifference(to: Map<string, Difference>, channelId: ChannelId, userIds: UserId[]): void {
  if (userIds.length === 0) return;
  const key = userIds.join();
  const known = to.get(key);
  if (known) known.channelIds.push(channelId);
  else to.set(key, { channelIds: [channelId], userIds });
}

/** The properties of a channel that decide who may know of it and read it, as a text. */
function accessOf(state: OrganizationState, channel: Channel): string {
  const values = visibilityPermissions.map((permission) => channelPermissionOf(state, channel, permission));
  return JSON.stringify([channel.isPrivate, channel.isWebPublic, channel.isHistoryShared, values]);
}

function groupsNamedBy(state: OrganizationState, channel: Channel): GroupId[] {
  return visibilityPermissions.flatMap((permission) => {
    const value = channelPermissionOf(state, channel, permission);
    return typeof value === "number" ? [value] : value.direct_subgroups;
  });
}
