/**
 * Subscribing and unsubscribing, for any number of people at once: the number of statements and log entries depends on the
 * number of channels alone. What differs by person (colors they once chose) is told in the entry and picked by the writer
 * in `delivery.ts`.
 */
import type { ChannelId, UserId } from "../../../../api/ids.ts";
import type { Change } from "../../../platform/log/change.ts";
import { toUsers } from "../../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { User } from "../../users/user.ts";
import type { Viewer } from "../../users/viewer.ts";
import { canSeeChannel } from "../access.ts";
import type { Channel } from "../channel.ts";
import { type History, readHistories } from "../history/history.ts";
import { noPreferences, presentChannel, presentPreferences } from "../present.ts";
import { endSubscriptions, insertSubscriptions, listPreferences, upsertColors } from "../store.ts";
import { toPeers, toThesePeople } from "../visibility/audiences.ts";
import type { SubscriptionAdded } from "./event-serializer.ts";
import { subscriberList } from "./subscriber-lists.ts";
import { type SubscribersPatch, subscribers } from "./subscribers.ts";

const MAX_LEAVING_TOGETHER = 500;

/** What happened to the subscriptions of one channel: whom it concerned, and who was already as asked. */
export interface Outcome {
  channel: Channel;
  changed: User[];
  unchanged: User[];
}

/**
 * Subscribes the targets to the channels, also to channels made in the same transaction. Each new subscriber gets the
 * subscription, after the channel itself if they did not know of it; the others who see the channel's subscribers hear who
 * came. `colors`: what the targets' clients shall use, by channel. Whether the viewer may is for the caller to check.
 */
export async function subscribe(
  tx: Change,
  _viewer: Viewer,
  channels: readonly Channel[],
  targets: readonly User[],
  colors: ReadonlyMap<ChannelId, string> = new Map(),
): Promise<Outcome[]> {
  const { state } = tx;
  const outcomes = sort(state, channels, targets, (isSubscribed) => !isSubscribed);
  const added = outcomes.filter(({ changed }) => changed.length > 0);
  if (added.length === 0) return outcomes;
  await insertSubscriptions(tx, state.organizationId, pairs(added), await tx.positionRef());
  await saveColors(tx, added, colors);
  const personal = await readPersonal(tx, added);
  const historyOf = await readHistories(
    state,
    tx,
    added.map(({ channel }) => channel),
  );
  for (const outcome of added) revealChannel(state, tx, outcome, historyOf(outcome.channel));
  for (const group of byPeople(added)) {
    const payload: SubscriptionAdded = {
      type: "subscription",
      op: "add",
      subscriptions: group.outcomes.map(({ channel, changed }) => ({
        ...present(state, channel, historyOf(channel), changed.length),
        ...presentPreferences(channel.id, noPreferences),
      })),
      personal: personal.filter((row) => group.channelIds.includes(row.channelId)),
    };
    const { channelIds, userIds } = group;
    tx.appendRaw(payload, toThesePeople(channelIds, userIds), { subscribers: patchOf(group, "added") });
    announceToPeers(tx, "peer_add", group);
  }
  return outcomes;
}

/**
 * Ends the targets' subscriptions. They hear that they are no longer subscribed and, if the channel is out of their sight
 * now, that it is gone; the others who see its subscribers hear who left.
 */
export async function unsubscribe(
  tx: Change,
  _viewer: Viewer,
  channels: readonly Channel[],
  targets: readonly User[],
): Promise<Outcome[]> {
  const { state } = tx;
  const outcomes = sort(state, channels, targets, (isSubscribed) => isSubscribed);
  const removed = outcomes.filter(({ changed }) => changed.length > 0);
  if (removed.length === 0) return outcomes;
  await endSubscriptions(tx, state.organizationId, pairs(removed), await tx.positionRef());
  for (const group of byPeople(removed)) {
    const gone = group.outcomes.map(({ channel }) => ({ stream_id: channel.id, name: channel.name }));
    tx.appendRaw({ type: "subscription", op: "remove", subscriptions: gone }, toUsers(group.userIds), {
      subscribers: patchOf(group, "removed"),
    });
    announceToPeers(tx, "peer_remove", group);
    announceToEachOther(tx, group);
  }
  for (const outcome of removed) hideChannel(state, tx, outcome);
  return outcomes;
}

/** Targets of one organization, each once, by whether the change concerns them. */
function sort(
  state: OrganizationState,
  channels: readonly Channel[],
  targets: readonly User[],
  concerns: (isSubscribed: boolean) => boolean,
): Outcome[] {
  const subscribed = state.get(subscribers);
  const people = [...new Set(targets)].sort((a, b) => a.id - b.id);
  return [...new Set(channels)].map((channel) => {
    const outcome: Outcome = { channel, changed: [], unchanged: [] };
    for (const user of people) {
      (concerns(subscribed.has(channel.id, user.id)) ? outcome.changed : outcome.unchanged).push(user);
    }
    return outcome;
  });
}

/** Channels that the same people come to or leave. They share an entry. */
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

function patchOf({ channelIds, userIds }: Together, what: "added" | "removed"): SubscribersPatch {
  return channelIds.map((channelId) => ({ channelId, [what]: userIds }));
}

function pairs(outcomes: readonly Outcome[]): { channelIds: ChannelId[]; userIds: UserId[] } {
  return {
    channelIds: outcomes.flatMap(({ channel, changed }) => changed.map(() => channel.id)),
    userIds: outcomes.flatMap(({ changed }) => changed.map((user) => user.id)),
  };
}

async function saveColors(
  tx: Change,
  added: readonly Outcome[],
  colors: ReadonlyMap<ChannelId, string>,
): Promise<void> {
  const colored = added.filter(({ channel }) => colors.has(channel.id));
  if (colored.length === 0) return;
  const rows = pairs(colored);
  await upsertColors(tx, tx.state.organizationId, {
    ...rows,
    colors: rows.channelIds.map((channelId) => colors.get(channelId) as string),
  });
}

/** What targets chose for these channels, now or in an earlier subscription, as it goes into their events. */
async function readPersonal(tx: Change, added: readonly Outcome[]): Promise<SubscriptionAdded["personal"]> {
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
): Record<string, unknown> {
  return presentChannel(state, channel, {
    history,
    subscriberCount: subscriberList(state, channel.id).ids.length + comingCount,
  });
}

/** Some learn only by the subscription that the channel exists: guests, and in a private channel nearly everyone. */
function revealChannel(
  state: OrganizationState,
  tx: Change,
  { channel, changed }: Outcome,
  history: History,
): void {
  const unaware = changed.filter((user) => !canSeeChannel(state, user, channel));
  if (unaware.length === 0) return;
  const userIds = unaware.map((user) => user.id);
  tx.appendRaw(
    { type: "stream", op: "create", streams: [present(state, channel, history, 0)] },
    // Their sight begins with the subscription, whose entry comes after this one.
    toThesePeople([channel.id], userIds),
  );
}

function hideChannel(state: OrganizationState, tx: Change, { channel, changed }: Outcome): void {
  const unsighted = changed.filter((user) => !canSeeChannel(state, user, channel, { asSubscriber: false }));
  if (unsighted.length === 0) return;
  const payload = {
    type: "stream",
    op: "delete",
    streams: [{ stream_id: channel.id }],
    stream_ids: [channel.id],
  };
  tx.appendRaw(payload, toUsers(unsighted.map((user) => user.id)));
}

function announceToPeers(
  tx: Change,
  op: "peer_add" | "peer_remove",
  { channelIds, userIds }: Together,
): void {
  tx.appendRaw({ type: "subscription", op, stream_ids: channelIds, user_ids: userIds }, toPeers(channelIds));
}

/**
 * Who leaves a channel together with others and still sees it hears of the others too: unlike those who come together,
 * who get whole lists. Each gets the event without themselves, so it comes in parts of which that many texts can be made.
 */
function announceToEachOther(tx: Change, { channelIds, userIds }: Together): void {
  if (userIds.length === 1) return;
  for (let start = 0; start < userIds.length; start += MAX_LEAVING_TOGETHER) {
    const part = userIds.slice(start, start + MAX_LEAVING_TOGETHER);
    const payload = { type: "subscription", op: "peer_remove", stream_ids: channelIds, user_ids: part };
    tx.appendRaw(payload, toThesePeople(channelIds, userIds));
  }
}
