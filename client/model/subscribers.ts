import type { EventOf } from "../../api/event.ts";
import type { channelCreated, channelDeleted } from "../../api/events/channels.ts";
import type {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionRemoved,
} from "../../api/events/subscriptions.ts";
import { invariant, plainMap, type Subject, sorted } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

interface SubscriberList {
  ids: Set<number>;
  /** False for a large channel that lists only bots and recently active people. */
  isComplete: boolean;
}

interface SubscriberRecord extends WireObject {
  stream_id: number;
  subscriber_count: number;
  subscribers?: number[];
  partial_subscribers?: number[];
}

type ChannelEvent = EventOf<typeof channelCreated> | EventOf<typeof channelDeleted> | { op: "update" };

type SubscriptionEvent =
  | EventOf<typeof subscriptionAdded>
  | EventOf<typeof subscriptionRemoved>
  | EventOf<typeof peersAdded>
  | EventOf<typeof peersRemoved>
  | { op: "update" };

/** The subscribers of each channel, if `/register` was asked for them. */
export class Subscribers implements Subject {
  readonly byChannel = new Map<number, SubscriberList>();
  readonly #viewerId: number;
  readonly #isWanted: boolean;
  readonly handlers = {
    stream: (event: ChannelEvent) => this.handleChannelEvent(event),
    subscription: (event: SubscriptionEvent) => this.handleSubscriptionEvent(event),
  };

  readonly keys = ["subscriptions", "unsubscribed", "never_subscribed"];

  private constructor(viewerId: number, isWanted: boolean) {
    this.#viewerId = viewerId;
    this.#isWanted = isWanted;
  }

  /**
   * `isWanted`: whether `/register` was asked for subscribers. Otherwise there are no lists, and events
   * create none.
   */
  static fromSnapshot(snapshot: WireObject, viewerId: number, isWanted: boolean): Subscribers {
    const subscribers = new Subscribers(viewerId, isWanted);
    for (const key of subscribers.keys) {
      for (const record of section<SubscriberRecord>(snapshot, key)) subscribers.#put(record);
    }
    return subscribers;
  }

  handleChannelEvent(event: ChannelEvent): void {
    if (event.op === "create" && this.#isWanted) {
      for (const { stream_id, subscriber_count } of event.streams) {
        // A user who is being subscribed gets the channel first, with its subscriber count; the list follows
        // in the subscription's event.
        this.byChannel.set(stream_id, { ids: new Set(), isComplete: subscriber_count === 0 });
      }
    } else if (event.op === "delete") {
      for (const id of event.stream_ids) this.byChannel.delete(id);
    }
  }

  handleSubscriptionEvent(event: SubscriptionEvent): void {
    if (event.op === "add") for (const record of event.subscriptions) this.#put(record);
    else if (event.op === "remove") {
      for (const { stream_id } of event.subscriptions)
        this.byChannel.get(stream_id)?.ids.delete(this.#viewerId);
    } else if (event.op === "peer_add") {
      for (const list of this.#lists(event.stream_ids)) for (const id of event.user_ids) list.ids.add(id);
    } else if (event.op === "peer_remove") {
      for (const list of this.#lists(event.stream_ids)) for (const id of event.user_ids) list.ids.delete(id);
    }
  }

  comparable(): unknown {
    return plainMap(this.byChannel, ({ ids, isComplete }) => ({ ids: sorted(ids), isComplete }));
  }

  #put({ stream_id, subscribers, partial_subscribers }: SubscriberRecord): void {
    const ids = subscribers ?? partial_subscribers;
    if (ids) this.byChannel.set(stream_id, { ids: new Set(ids), isComplete: subscribers !== undefined });
  }

  *#lists(channelIds: readonly number[]): Iterable<SubscriberList> {
    for (const id of channelIds) {
      const list = this.byChannel.get(id);
      if (list) yield list;
    }
  }
}

export function checkInvariants(
  subscribers: Subscribers,
  channels: ReadonlyMap<number, { subscriberCount: number }>,
): void {
  for (const [channelId, { ids, isComplete }] of subscribers.byChannel) {
    const channel = channels.get(channelId);
    invariant(channel !== undefined, `there are subscribers of channel ${channelId}, which is not known`);
    const isCounted = isComplete ? channel.subscriberCount === ids.size : channel.subscriberCount >= ids.size;
    invariant(
      isCounted,
      `channel ${channelId} counts ${channel.subscriberCount} subscribers and lists ${ids.size}`,
    );
  }
}
