import type { channelPermissions } from "../../api/channels/channel-permissions.ts";
import type { EventOf } from "../../api/event.ts";
import type { channelCreated, channelDeleted, channelUpdated } from "../../api/events/channels.ts";
import type { messageSent } from "../../api/events/messages.ts";
import type {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
} from "../../api/events/subscriptions.ts";
import { invariant, plainMap, type Subject } from "./subject.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { type GroupSetting, readFields, readName, readValue, section, type WireObject } from "./wire.ts";

/** The permissions of a channel, by the setting's name in the model: `canSendMessageGroup` and the others. */
type ChannelPermissions = {
  [Permission in keyof typeof channelPermissions as `${Permission}Group`]: GroupSetting;
};

export interface Channel extends ChannelPermissions {
  id: number;
  name: string;
  description: string;
  renderedDescription: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  isArchived: boolean;
  /** Whether subscribers see messages that were sent before they subscribed. */
  isHistoryShared: boolean;
  /** UNIX seconds. */
  createdAt: number;
  creatorId: number | null;
  folderId: number | null;
  topicsPolicy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
  /** null: the organization's setting; -1: forever. */
  messageRetentionDays: number | null;
  firstMessageId: number | null;
  isRecentlyActive: boolean;
  /** Messages per week; null while the channel is too new. */
  weeklyTraffic: number | null;
  subscriberCount: number;
}

const renamed = {
  stream_id: "id",
  invite_only: "isPrivate",
  history_public_to_subscribers: "isHistoryShared",
  date_created: "createdAt",
  stream_weekly_traffic: "weeklyTraffic",
} as const;

/**
 * The fields of a record that are about the viewer's subscription, or that repeat the channel's permissions.
 */
const notOfChannel = new Set([
  "color",
  "is_muted",
  "in_home_view",
  "pin_to_top",
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
  "subscribers",
  "partial_subscribers",
  "stream_post_policy",
  "is_announcement_only",
]);

type ChannelEvent =
  | EventOf<typeof channelCreated>
  | EventOf<typeof channelDeleted>
  | EventOf<typeof channelUpdated>;

type SubscriptionEvent =
  | EventOf<typeof subscriptionAdded>
  | EventOf<typeof subscriptionRemoved>
  | EventOf<typeof peersAdded>
  | EventOf<typeof peersRemoved>
  | { op: "update" };

/** Every channel that the viewer can see. */
export class Channels implements Subject {
  readonly byId = new Map<number, Channel>();
  readonly #subscriptions: Subscriptions;
  readonly #changed = new Set<number>();
  readonly handlers = {
    message: (event: EventOf<typeof messageSent>) => this.handleMessageEvent(event),
    stream: (event: ChannelEvent) => this.handleChannelEvent(event),
    subscription: (event: SubscriptionEvent) => this.handleSubscriptionEvent(event),
  };

  readonly keys = ["streams", "subscriptions", "unsubscribed", "never_subscribed"];

  private constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  static fromSnapshot(snapshot: WireObject, subscriptions: Subscriptions): Channels {
    const channels = new Channels(subscriptions);
    for (const key of channels.keys) for (const record of section(snapshot, key)) channels.#put(record);
    return channels;
  }

  get(id: number): Channel | undefined {
    return this.byId.get(id);
  }

  handleMessageEvent({ message }: EventOf<typeof messageSent>): void {
    const channel = message.stream_id === undefined ? undefined : this.byId.get(message.stream_id);
    if (!channel || channel.firstMessageId !== null) return;
    channel.firstMessageId = message.id;
    this.#changed.add(channel.id);
  }

  handleChannelEvent(event: ChannelEvent): void {
    if (event.op === "create") for (const record of event.streams) this.#put(record);
    else if (event.op === "delete") for (const id of event.stream_ids) this.#delete(id);
    else this.#update(event);
  }

  handleSubscriptionEvent(event: SubscriptionEvent): void {
    if (event.op === "add") for (const record of event.subscriptions) this.#put(record);
    else if (event.op === "remove")
      for (const { stream_id } of event.subscriptions) this.#count(stream_id, -1);
    else if (event.op === "peer_add")
      for (const id of event.stream_ids) this.#count(id, event.user_ids.length);
    else if (event.op === "peer_remove")
      for (const id of event.stream_ids) this.#count(id, -event.user_ids.length);
  }

  /** Most messages change nothing here. */
  takeChanged(): readonly string[] {
    const changed = [...this.#changed].map(String);
    this.#changed.clear();
    return changed;
  }

  comparable(): unknown {
    // Only subscribers get an event for the first message.
    return plainMap(this.byId, ({ firstMessageId, ...channel }) =>
      this.#subscriptions.isSubscribed(channel.id) ? { ...channel, firstMessageId } : channel,
    );
  }

  #put(record: WireObject): void {
    const fields = Object.fromEntries(Object.entries(record).filter(([name]) => !notOfChannel.has(name)));
    const channel = readFields<Channel>(fields, renamed);
    this.byId.set(channel.id, channel);
    this.#changed.add(channel.id);
  }

  #update({ stream_id, property, value, ...others }: ChannelEvent & { op: "update" }): void {
    const channel = this.byId.get(stream_id);
    if (!channel) return;
    this.#changed.add(stream_id);
    const { op, type, id, name, ...along } = others;
    for (const [field, changed] of Object.entries({ ...along, [property]: value })) {
      if (!notOfChannel.has(field)) {
        (channel as unknown as Record<string, unknown>)[readName(field, renamed)] = readValue(changed);
      }
    }
  }

  #delete(id: number): void {
    this.byId.delete(id);
    this.#changed.add(id);
  }

  #count(id: number, change: number): void {
    const channel = this.byId.get(id);
    if (!channel) return;
    channel.subscriberCount += change;
    this.#changed.add(id);
  }
}

/**
 * Channels whose messages all count as read from now on: archived channels, and channels that the viewer can
 * no longer see.
 */
export function closedChannels(
  event: EventOf<typeof channelDeleted> | EventOf<typeof channelUpdated> | { op: "create" },
): readonly number[] {
  if (event.op === "delete") return event.stream_ids;
  const isArchived = event.op === "update" && event.property === "is_archived" && event.value === true;
  return isArchived ? [event.stream_id] : [];
}

export function checkInvariants(channels: Channels): void {
  const names = new Set<string>();
  for (const [id, channel] of channels.byId) {
    invariant(channel.id === id, `channel ${id} is filed under another id`);
    invariant(channel.subscriberCount >= 0, `channel ${id} has ${channel.subscriberCount} subscribers`);
    invariant(!(channel.isPrivate && channel.isWebPublic), `channel ${id} is private and web-public`);
    const name = channel.name.toLowerCase();
    invariant(!names.has(name), `two channels are called ${name}`);
    names.add(name);
  }
}
