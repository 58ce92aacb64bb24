import type { ChannelId } from "../../../../api/ids.ts";
import { pushTo } from "../../../platform/std/multimap.ts";

/** Positions between which a user was subscribed. `to` is null while the subscription lasts. */
export interface SubscriptionInterval {
  channelId: ChannelId;
  from: number;
  to: number | null;
}

/** What a user received in channels. It follows from their subscription intervals, which are kept forever. */
export class SubscriptionIntervals {
  readonly #byChannel = new Map<ChannelId, SubscriptionInterval[]>();
  readonly #isClosed: (channelId: ChannelId) => boolean;

  /** `isClosed`: whether everything in a channel counts as read, as if the user had left it. */
  constructor(intervals: readonly SubscriptionInterval[], isClosed: (channelId: ChannelId) => boolean) {
    this.#isClosed = isClosed;
    for (const interval of intervals) pushTo(this.#byChannel, interval.channelId, interval);
  }

  /** The channels to which the user is or was subscribed. */
  channelIds(): IterableIterator<ChannelId> {
    return this.#byChannel.keys();
  }

  intervals(channelId: ChannelId): readonly SubscriptionInterval[] {
    return this.#byChannel.get(channelId) ?? [];
  }

  has(channelId: ChannelId, messageId: number): boolean {
    return this.intervals(channelId).some(
      ({ from, to }) => from < messageId && (to === null || messageId < to),
    );
  }

  /**
   * Where the current subscription began, which limits what may be unread. null without a subscription, and
   * in a closed channel.
   */
  since(channelId: ChannelId): number | null {
    if (this.#isClosed(channelId)) return null;
    return this.intervals(channelId).find(({ to }) => to === null)?.from ?? null;
  }
}
