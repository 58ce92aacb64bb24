import type { ChannelId, UserId } from "../../../../api/ids.ts";
import type { Delivery, EventPayload, LogEntry } from "../../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { rareRawVariant, rawVariant } from "../../../platform/queues/event-variant.ts";
import type { Queue } from "../../../platform/queues/queue.ts";
import type { EventSerializer } from "../../../platform/queues/queue-parts.ts";
import { users } from "../../users/user.ts";
import { noPreferences, type PersonalFields, presentPreferences } from "../present.ts";
import { canSee, toThesePeople } from "../visibility/audiences.ts";
import { resolveNotifications } from "./notifications.ts";
import { presentSubscribers, subscriberList } from "./subscriber-lists.ts";

/** As it stands in the log: the records at their defaults, and what single people chose. */
export interface SubscriptionAdded extends EventPayload {
  type: "subscription";
  op: "add";
  subscriptions: Record<string, unknown>[];
  personal: { userId: UserId; channelId: ChannelId; fields: PersonalFields }[];
}

/**
 * Writes subscription events. What a queue gets of a new subscription depends on whether it asked for subscribers and on
 * what its user chose for the channel before; of others' coming and going, on which of the channels its user sees.
 */
export const subscriptionSerializer: EventSerializer = {
  type: "subscription",
  serialize(state, entry, queue) {
    if (entry.payload.op === "add") return writeAdded(state, entry as LogEntry<SubscriptionAdded>, queue);
    if (entry.payload.op === "peer_add" || entry.payload.op === "peer_remove")
      return writePeers(state, entry, queue);
    if (entry.payload.op === "update") return writeUpdated(state, entry, queue);
    return rawVariant(entry, 0, () => entry.payload);
  },
};

const LEAVING_TOGETHER = toThesePeople([], []).to;

const listForms = ["false", "true", "partial"] as const;

function writeAdded(
  state: OrganizationState,
  entry: LogEntry<SubscriptionAdded>,
  queue: Queue,
): Delivery | undefined {
  const { payload } = entry;
  const visible = payload.subscriptions.filter((each) => canSee(state, queue, each.stream_id as ChannelId));
  if (visible.length === 0) return undefined;
  const own = payload.personal.filter((each) => each.userId === queue.userId);
  const form = queue.options.includeSubscribers;
  const wire = (edit: (record: Record<string, unknown>) => Record<string, unknown>) => ({
    type: payload.type,
    op: payload.op,
    subscriptions: visible.map((record) => ({
      ...edit(record),
      ...presentSubscribers(state, subscriberList(state, record.stream_id as ChannelId), form),
    })),
  });
  const isShared =
    own.length === 0 &&
    visible.length === payload.subscriptions.length &&
    queue.can("notification_settings_null");
  if (isShared) return rawVariant(entry, listForms.indexOf(form), () => wire((record) => record));
  const edit = personalEdit(state, queue, own);
  const records = visible.map(edit);
  return rareRawVariant(entry, JSON.stringify([form, records]), () => wire(edit));
}

/** What someone chose for a channel; null is only for clients that know it there. */
function writeUpdated(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery {
  const asWritten = () => rawVariant(entry, 0, () => entry.payload);
  if (entry.payload.value !== null || queue.can("notification_settings_null")) return asWritten();
  const user = state.get(users).byId.get(queue.userId);
  const property = entry.payload.property as string;
  if (!user) return asWritten();
  const unset = presentPreferences(entry.payload.stream_id as ChannelId, noPreferences);
  const value = resolveNotifications(user, unset)[property];
  return rareRawVariant(entry, String(value), () => ({ ...entry.payload, value }));
}

function personalEdit(state: OrganizationState, queue: Queue, own: SubscriptionAdded["personal"]) {
  const user = state.get(users).byId.get(queue.userId);
  return (record: Record<string, unknown>): Record<string, unknown> => {
    const fields = own.find((each) => each.channelId === record.stream_id)?.fields;
    const merged = { ...record, ...fields } as PersonalFields;
    return user && !queue.can("notification_settings_null") ? resolveNotifications(user, merged) : merged;
  };
}

function writePeers(state: OrganizationState, entry: LogEntry, queue: Queue): Delivery | undefined {
  const { stream_ids, user_ids } = entry.payload as unknown as {
    stream_ids: ChannelId[];
    user_ids: UserId[];
  };
  const channelIds = stream_ids.filter((channelId) => canSee(state, queue, channelId));
  // Only those who leave together are told of themselves; everyone else's list is looked through for nothing.
  const isOneOfThem = entry.audience.to === LEAVING_TOGETHER && user_ids.includes(queue.userId);
  const userIds = isOneOfThem ? user_ids.filter((userId) => userId !== queue.userId) : user_ids;
  if (channelIds.length === 0 || userIds.length === 0) return undefined;
  if (!isOneOfThem && channelIds.length === stream_ids.length)
    return rawVariant(entry, 0, () => entry.payload);
  const key = `${channelIds.join()} ${isOneOfThem ? queue.userId : ""}`;
  return rareRawVariant(entry, key, () => ({ ...entry.payload, stream_ids: channelIds, user_ids: userIds }));
}
