import type { EventOf } from "../../api/event.ts";
import type { channelDeleted } from "../../api/events/channels.ts";
import type {
  subscriptionAdded,
  subscriptionRemoved,
  subscriptionUpdated,
} from "../../api/events/subscriptions.ts";
import { invariant, plainMap, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

/** The viewer's settings for a channel. They are kept after unsubscribing, for a later subscription. */
export interface Subscription {
  channelId: number;
  isSubscribed: boolean;
  color: string;
  isMuted: boolean;
  isPinned: boolean;
  /** These are null if the account's own setting applies. */
  desktopNotifications: boolean | null;
  audibleNotifications: boolean | null;
  pushNotifications: boolean | null;
  emailNotifications: boolean | null;
  wildcardMentionsNotify: boolean | null;
}

interface SubscriptionRecord extends WireObject {
  stream_id: number;
}

type SubscriptionEvent =
  | EventOf<typeof subscriptionAdded>
  | EventOf<typeof subscriptionRemoved>
  | EventOf<typeof subscriptionUpdated>
  | { op: "peer_add" | "peer_remove" };

type ChannelEvent = EventOf<typeof channelDeleted> | { op: "create" | "update" };

const properties = {
  color: "color",
  is_muted: "isMuted",
  pin_to_top: "isPinned",
  desktop_notifications: "desktopNotifications",
  audible_notifications: "audibleNotifications",
  push_notifications: "pushNotifications",
  email_notifications: "emailNotifications",
  wildcard_mentions_notify: "wildcardMentionsNotify",
} as const;

/** The viewer's subscriptions, including ended ones. */
export class Subscriptions implements Subject {
  readonly byChannel = new Map<number, Subscription>();
  readonly handlers = {
    subscription: (event: SubscriptionEvent) => this.handleSubscriptionEvent(event),
    stream: (event: ChannelEvent) => this.handleChannelEvent(event),
  };

  readonly keys = ["subscriptions", "unsubscribed"];

  static fromSnapshot(snapshot: WireObject): Subscriptions {
    const all = new Subscriptions();
    for (const record of section<SubscriptionRecord>(snapshot, "subscriptions")) all.#put(record, true);
    for (const record of section<SubscriptionRecord>(snapshot, "unsubscribed")) all.#put(record, false);
    return all;
  }

  isSubscribed(channelId: number): boolean {
    return this.byChannel.get(channelId)?.isSubscribed === true;
  }

  isMuted(channelId: number): boolean {
    return this.byChannel.get(channelId)?.isMuted === true;
  }

  handleSubscriptionEvent(event: SubscriptionEvent): void {
    if (event.op === "add") for (const record of event.subscriptions) this.#put(record, true);
    else if (event.op === "remove") for (const { stream_id } of event.subscriptions) this.#end(stream_id);
    else if (event.op === "update") this.#update(event);
  }

  handleChannelEvent(event: ChannelEvent): void {
    if (event.op === "delete") for (const id of event.stream_ids) this.byChannel.delete(id);
  }

  comparable(): unknown {
    return plainMap(this.byChannel, (subscription) => subscription);
  }

  #put(record: SubscriptionRecord, isSubscribed: boolean): void {
    const fields = Object.entries(properties).map(([wire, name]) => [name, record[wire]]);
    const subscription = { channelId: record.stream_id, isSubscribed, ...Object.fromEntries(fields) };
    this.byChannel.set(record.stream_id, subscription as unknown as Subscription);
  }

  #end(channelId: number): void {
    const subscription = this.byChannel.get(channelId);
    if (subscription) subscription.isSubscribed = false;
  }

  #update({ stream_id, property, value }: SubscriptionEvent & { op: "update" }): void {
    const subscription = this.byChannel.get(stream_id);
    // COMPAT: `in_home_view` is the opposite of `is_muted` for older clients; `is_muted` has its own event.
    if (!subscription || !Object.hasOwn(properties, property)) return;
    const name = properties[property as keyof typeof properties];
    (subscription as unknown as Record<string, unknown>)[name] = value;
  }
}

export function checkInvariants(subscriptions: Subscriptions, channels: ReadonlyMap<number, unknown>): void {
  for (const { channelId, color } of subscriptions.byChannel.values()) {
    invariant(channels.has(channelId), `there is a subscription to channel ${channelId}, which is not known`);
    invariant(/^#[0-9a-f]{6}$/i.test(color), `the color of channel ${channelId} is ${color}`);
  }
}
