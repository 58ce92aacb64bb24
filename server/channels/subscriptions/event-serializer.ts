/**
 * The events on a person's own subscriptions and on other subscribers. The event on a new subscription
 * depends on whether the queue asked for subscribers, and on its user's earlier settings for the channel.
 * Events on other subscribers depend on which of the channels the user sees.
 */
import type { ChannelRecord, SubscriptionRecord } from "../../../api/channels/channel-fields.ts";
import type { FieldsOf } from "../../../api/event.ts";
import {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionUpdated,
} from "../../../api/events/subscriptions.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Audience, Delivery, LogEntry, StatePatch } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, rareVariant, variant } from "../../platform/queues/event-variant.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { type EventSerializer, serializerOf } from "../../platform/queues/queue-parts.ts";
import { noPreferences, type PersonalFields, presentPreferences } from "../present.ts";
import { canSee, toThesePeople } from "../visibility/audiences.ts";
import { isVisibleToUser } from "../visibility/past-visibility.ts";
import { resolveNotifications } from "./notifications.ts";
import { formerList, presentSubscribers, subscriberList } from "./subscriber-lists.ts";

/** One person's settings for a channel, from now or an earlier subscription. */
export interface PersonalPreferences {
  userId: UserId;
  channelId: ChannelId;
  fields: PersonalFields;
}

interface Added {
  /** The records without personal settings. */
  subscriptions: (ChannelRecord & PersonalFields)[];
  personal: PersonalPreferences[];
  /** In a replay, the subscribers at the time of the entry. The log itself does not have them. */
  subscriberIds?: ReadonlyMap<ChannelId, readonly UserId[]>;
}

export const storedAdded = storedEvent<Added>()(subscriptionAdded);
const storedPeers = storedEvent<FieldsOf<typeof peersAdded>>()(peersAdded);
const storedUpdated = storedEvent<FieldsOf<typeof subscriptionUpdated>>()(subscriptionUpdated);

/** One entry for any number of new subscribers. Each gets the records with their own settings. */
export function appendSubscriptionsAdded(
  tx: Change,
  records: readonly ChannelRecord[],
  personal: PersonalPreferences[],
  audience: Audience,
  ...patches: readonly StatePatch[]
): void {
  const subscriptions = records.map((record) => ({
    ...record,
    ...presentPreferences(record.stream_id as ChannelId, noPreferences),
  }));
  tx.append(storedAdded, { subscriptions, personal }, audience, ...patches);
}

const serializers = new Map<string, EventSerializer>([
  [subscriptionAdded.op, serializerOf(storedAdded, serializeAdded)],
  [peersAdded.op, peersSerializer(peersAdded)],
  [peersRemoved.op, peersSerializer(peersRemoved)],
  [subscriptionUpdated.op, serializerOf(storedUpdated, serializeUpdated)],
]);

export const subscriptionSerializer: EventSerializer = {
  type: subscriptionAdded.type,
  serialize(state, entry, queue) {
    const serializer = serializers.get(String(entry.payload.op));
    return serializer ? serializer.serialize(state, entry, queue) : asAppended(entry);
  },
};

const LEAVING_TOGETHER = toThesePeople([], []).to;

const listForms = ["false", "true", "partial"] as const;

function serializeAdded(
  state: OrganizationState,
  entry: LogEntry,
  { subscriptions, personal, subscriberIds }: Added,
  queue: Queue,
): Delivery | undefined {
  // In a replay, whether the channel is archived now does not matter: the archiving has its own event.
  const isKnown = (record: ChannelRecord) => queue.can("archived_channels") || !record.is_archived;
  const visible = subscriptions.filter(
    (each) => isKnown(each) && isVisibleToUser(state, queue, each.stream_id as ChannelId),
  );
  if (visible.length === 0) return undefined;
  const own = personal.filter((each) => each.userId === queue.userId);
  const form = queue.options.includeSubscribers;
  const listOf = (channelId: ChannelId) => {
    const ids = subscriberIds?.get(channelId);
    return ids ? formerList(ids) : subscriberList(state, channelId);
  };
  const withSubscribers = (records: readonly (ChannelRecord & PersonalFields)[]): SubscriptionRecord[] =>
    records.map((record) => ({
      ...record,
      ...presentSubscribers(state, listOf(record.stream_id as ChannelId), form),
    }));
  const isShared =
    own.length === 0 && visible.length === subscriptions.length && queue.can("notification_settings_null");
  if (isShared) {
    return variant(entry, listForms.indexOf(form), subscriptionAdded, () => ({
      subscriptions: withSubscribers(visible),
    }));
  }
  const records = visible.map(personalEdit(state, queue, own));
  return rareVariant(entry, JSON.stringify([form, records]), subscriptionAdded, () => ({
    subscriptions: withSubscribers(records),
  }));
}

/** The user's settings for a channel. Null goes only to clients that declare `notification_settings_null`. */
function serializeUpdated(
  state: OrganizationState,
  entry: LogEntry,
  { stream_id, property, value }: FieldsOf<typeof subscriptionUpdated>,
  queue: Queue,
): Delivery {
  if (value !== null || queue.can("notification_settings_null")) return asAppended(entry);
  const user = state.get(users).byId.get(queue.userId);
  if (!user) return asAppended(entry);
  const unset = presentPreferences(stream_id as ChannelId, noPreferences);
  const resolved = resolveNotifications(user, unset)[property];
  return rareVariant(entry, String(resolved), subscriptionUpdated, () => ({
    stream_id,
    property,
    value: resolved,
  }));
}

function personalEdit(state: OrganizationState, queue: Queue, own: readonly PersonalPreferences[]) {
  const user = state.get(users).byId.get(queue.userId);
  return (record: ChannelRecord & PersonalFields): ChannelRecord & PersonalFields => {
    const fields = own.find((each) => each.channelId === record.stream_id)?.fields;
    const merged = { ...record, ...fields };
    return user && !queue.can("notification_settings_null") ? resolveNotifications(user, merged) : merged;
  };
}

function peersSerializer(declaration: typeof peersAdded | typeof peersRemoved): EventSerializer {
  return serializerOf(storedPeers, (state, entry, fields, queue) =>
    serializePeers(state, entry, declaration, fields, queue),
  );
}

function serializePeers(
  state: OrganizationState,
  entry: LogEntry,
  declaration: typeof peersAdded | typeof peersRemoved,
  { stream_ids, user_ids }: FieldsOf<typeof peersAdded>,
  queue: Queue,
): Delivery | undefined {
  const channelIds = stream_ids.filter((id) => canSee(state, queue, id as ChannelId));
  // Only people who leave together get events that name themselves, so the list is searched only for
  // them.
  const isOneOfThem =
    entry.audience.to === LEAVING_TOGETHER && user_ids.some((userId) => userId === queue.userId);
  const userIds = isOneOfThem ? user_ids.filter((userId) => userId !== queue.userId) : user_ids;
  if (channelIds.length === 0 || userIds.length === 0) return undefined;
  if (!isOneOfThem && channelIds.length === stream_ids.length) return asAppended(entry);
  const key = `${channelIds.join()} ${isOneOfThem ? queue.userId : ""}`;
  return rareVariant(entry, key, declaration, () => ({ stream_ids: channelIds, user_ids: userIds }));
}
