/**
 * Subscribing and unsubscribing, for any number of people at once. The number of statements and log
 * entries depends only on the number of channels. Personal data (colors chosen earlier) is in the entry,
 * and the serializer picks each person's part.
 */
import type { ChannelRecord } from "../../../api/channels/channel-fields.ts";
import { subscriptionRemoved } from "../../../api/events/subscriptions.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { canSeeChannel } from "../access.ts";
import type { Channel } from "../channel.ts";
import {
  appendChannelsCreated,
  appendChannelsDeleted,
  appendPeersAdded,
  appendPeersRemoved,
} from "../events.ts";
import { type History, readHistoriesToAnnounce } from "../history/history.ts";
import { presentChannel, presentPreferences } from "../present.ts";
import {
  endSubscriptions,
  insertSubscriptions,
  listPreferences,
  replaceSubscriptions,
  upsertColors,
} from "../store.ts";
import { toPeers, toThesePeople } from "../visibility/audiences.ts";
import { appendSubscriptionsAdded, type PersonalPreferences } from "./event-serializer.ts";
import { subscriberList } from "./subscriber-lists.ts";
import { type SubscribersPatch, subscribers } from "./subscribers.ts";

const MAX_LEAVING_TOGETHER = 500;

/** The outcome for one channel: the people whose subscription changed, and the others. */
export interface Outcome {
  channel: Channel;
  changed: User[];
  unchanged: User[];
}

/** The people who are to join or leave a channel. */
export interface ChannelPeople {
  channel: Channel;
  /** Each once, in the order of their ids. */
  targets: readonly User[];
}

/** A color that a person has chosen for a channel; undefined if none. */
export type ColorOf = (channel: Channel, user: User) => string | undefined;

/**
 * Subscribes the targets to the channels, also to channels made in the same transaction. New subscribers
 * get the subscription, after the channel itself if they did not know of it. Others who see the channel's
 * subscribers get `peer_add`. `colors`: for the targets, by channel. The caller checks the viewer's
 * permission.
 */
export function subscribe(
  tx: Change,
  channels: readonly Channel[],
  targets: readonly User[],
  colors: ReadonlyMap<ChannelId, string> = new Map(),
): Promise<Outcome[]> {
  return subscribeEach(tx, forAll(channels, targets), ({ id }) => colors.get(id));
}

/** The same with other targets for each channel. No channel is named twice. */
export async function subscribeEach(
  tx: Change,
  joining: readonly ChannelPeople[],
  colorOf: ColorOf,
): Promise<Outcome[]> {
  const { state } = tx;
  const outcomes = sort(state, joining, (isSubscribed) => !isSubscribed);
  const added = outcomes.filter(({ changed }) => changed.length > 0);
  if (added.length === 0) return outcomes;
  const positionRef = await tx.positionRef();
  // Sent together: the connection executes them in this order.
  const [, , personal, historyOf] = await Promise.all([
    insertSubscriptions(tx, state.organizationId, pairs(added), positionRef),
    saveColors(tx, added, colorOf),
    readPersonal(tx, added),
    readHistoriesToAnnounce(
      tx,
      added.map(({ channel }) => channel),
    ),
  ]);
  for (const outcome of added) revealChannel(state, tx, outcome, historyOf(outcome.channel));
  for (const group of byPeople(added)) {
    const { channelIds, userIds } = group;
    const records = group.outcomes.map(({ channel, changed }) =>
      present(state, channel, historyOf(channel), changed.length),
    );
    const joined = new Set(userIds);
    const own = personal.filter((row) => channelIds.includes(row.channelId) && joined.has(row.userId));
    const patch = patchOf(subscribers, changesOf(group, "added"));
    appendSubscriptionsAdded(tx, records, own, toThesePeople(channelIds, userIds), patch);
    appendPeersAdded(tx, channelIds, userIds, toPeers(channelIds));
  }
  return outcomes;
}

/**
 * Ends the targets' subscriptions. Each target gets `remove`, and also `delete` if they may no longer
 * know of the channel. Others who see its subscribers get `peer_remove`.
 */
export function unsubscribe(
  tx: Change,
  channels: readonly Channel[],
  targets: readonly User[],
): Promise<Outcome[]> {
  return unsubscribeEach(tx, forAll(channels, targets));
}

/** The same with other targets for each channel. No channel is named twice. */
export async function unsubscribeEach(tx: Change, leaving: readonly ChannelPeople[]): Promise<Outcome[]> {
  const { state } = tx;
  const outcomes = sort(state, leaving, (isSubscribed) => isSubscribed);
  const removed = outcomes.filter(({ changed }) => changed.length > 0);
  if (removed.length === 0) return outcomes;
  await endSubscriptions(tx, state.organizationId, pairs(removed), await tx.positionRef());
  for (const group of byPeople(removed)) {
    const { channelIds, userIds } = group;
    const ended = group.outcomes.map(({ channel }) => ({ stream_id: channel.id, name: channel.name }));
    const patch = patchOf(subscribers, changesOf(group, "removed"));
    tx.append(subscriptionRemoved, { subscriptions: ended }, toUsers(userIds), patch);
    appendPeersRemoved(tx, channelIds, userIds, toPeers(channelIds));
    announceToEachOther(tx, group);
  }
  for (const outcome of removed) hideChannel(state, tx, outcome);
  return outcomes;
}

/**
 * Ends every subscription to a channel and starts it again, at one position of the log. Messages received
 * before stay received. They are from before the present subscription, so they count as read. Nobody gets
 * an event.
 */
export async function renewSubscriptions(tx: Change, channelId: ChannelId): Promise<void> {
  await replaceSubscriptions(tx, tx.state.organizationId, channelId, await tx.positionRef());
  // An entry at the position itself belongs to neither subscription, so the entry there must be for
  // nobody.
  tx.appendPatch();
}

function forAll(channels: readonly Channel[], targets: readonly User[]): ChannelPeople[] {
  const people = [...new Set(targets)].sort((a, b) => a.id - b.id);
  return [...new Set(channels)].map((channel) => ({ channel, targets: people }));
}

/** Targets of one organization, split by whether the change concerns them. */
function sort(
  state: OrganizationState,
  people: readonly ChannelPeople[],
  concerns: (isSubscribed: boolean) => boolean,
): Outcome[] {
  const subscribed = state.get(subscribers);
  return people.map(({ channel, targets }) => {
    const outcome: Outcome = { channel, changed: [], unchanged: [] };
    for (const user of targets) {
      (concerns(subscribed.has(channel.id, user.id)) ? outcome.changed : outcome.unchanged).push(user);
    }
    return outcome;
  });
}

/** Channels that the same people join or leave. They share an entry. */
interface Together {
  outcomes: Outcome[];
  channelIds: ChannelId[];
  userIds: readonly UserId[];
}

function byPeople(outcomes: readonly Outcome[]): Together[] {
  const groups: Together[] = [];
  for (const outcome of outcomes) {
    const userIds = outcome.changed.map((user) => user.id);
    const group = groups.find((each) => isSame(each.userIds, userIds));
    if (group) {
      group.outcomes.push(outcome);
      group.channelIds.push(outcome.channel.id);
    } else {
      groups.push({ outcomes: [outcome], channelIds: [outcome.channel.id], userIds });
    }
  }
  return groups;
}

function isSame(one: readonly UserId[], other: readonly UserId[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

function changesOf({ channelIds, userIds }: Together, what: "added" | "removed"): SubscribersPatch {
  return channelIds.map((channelId) => ({ channelId, [what]: userIds }));
}

function pairs(outcomes: readonly Outcome[]): { channelIds: ChannelId[]; userIds: UserId[] } {
  return {
    channelIds: outcomes.flatMap(({ channel, changed }) => changed.map(() => channel.id)),
    userIds: outcomes.flatMap(({ changed }) => changed.map((user) => user.id)),
  };
}

async function saveColors(tx: Change, added: readonly Outcome[], colorOf: ColorOf): Promise<void> {
  const chosen = added.flatMap(({ channel, changed }) =>
    changed.flatMap((user) => {
      const color = colorOf(channel, user);
      return color === undefined ? [] : [{ channelId: channel.id, userId: user.id, color }];
    }),
  );
  if (chosen.length === 0) return;
  await upsertColors(tx, tx.state.organizationId, {
    channelIds: chosen.map(({ channelId }) => channelId),
    userIds: chosen.map(({ userId }) => userId),
    colors: chosen.map(({ color }) => color),
  });
}

/**
 * The targets' settings for these channels, from now or an earlier subscription, as their events hold
 * them.
 */
async function readPersonal(tx: Change, added: readonly Outcome[]): Promise<PersonalPreferences[]> {
  const rows = await listPreferences(
    tx,
    tx.state.organizationId,
    added.map(({ channel }) => channel.id),
    [...new Set(added.flatMap(({ changed }) => changed.map((user) => user.id)))],
  );
  return rows.map((row) => ({
    userId: row.userId,
    channelId: row.channelId,
    fields: presentPreferences(row.channelId, row),
  }));
}

function present(
  state: OrganizationState,
  channel: Channel,
  history: History,
  comingCount: number,
): ChannelRecord {
  return presentChannel(state, channel, {
    history,
    subscriberCount: subscriberList(state, channel.id).ids.length + comingCount,
  });
}

/**
 * The users who learn only from the subscription that the channel exists: guests, and nearly everyone in
 * a private channel.
 */
function revealChannel(
  state: OrganizationState,
  tx: Change,
  { channel, changed }: Outcome,
  history: History,
): void {
  const unaware = changed.filter((user) => !canSeeChannel(state, user, channel));
  if (unaware.length === 0) return;
  const userIds = unaware.map((user) => user.id);
  // They see the channel from the subscription on, and that entry comes after this one.
  appendChannelsCreated(tx, [present(state, channel, history, 0)], toThesePeople([channel.id], userIds));
}

function hideChannel(state: OrganizationState, tx: Change, { channel, changed }: Outcome): void {
  const unaware = changed.filter((user) => !canSeeChannel(state, user, channel, { asSubscriber: false }));
  if (unaware.length === 0) return;
  appendChannelsDeleted(tx, [channel.id], toUsers(unaware.map((user) => user.id)));
}

/**
 * People who leave a channel together and still see it get events about each other. New subscribers get
 * whole lists instead. Each person's event leaves out their own id, so it is encoded per person. The ids
 * are split into parts to bound that work.
 */
function announceToEachOther(tx: Change, { channelIds, userIds }: Together): void {
  if (userIds.length === 1) return;
  for (let start = 0; start < userIds.length; start += MAX_LEAVING_TOGETHER) {
    const part = userIds.slice(start, start + MAX_LEAVING_TOGETHER);
    appendPeersRemoved(tx, channelIds, part, toThesePeople(channelIds, userIds));
  }
}
