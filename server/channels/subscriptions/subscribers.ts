import type { ChannelId, UserId } from "../../../api/ids.ts";
import { pagesOf } from "../../platform/db/pages.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type QueueProjection, queuesOf } from "../../platform/queues/organization-queues.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import type { AudienceRule } from "../../platform/queues/queue-parts.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { listSubscribers, listSubscriptionIntervals, type Subscription } from "../store.ts";

/** The types of events that go to a channel's listeners. */
const aboutChannels = [
  "message",
  "update_message",
  "delete_message",
  "reaction",
  "submessage",
  "typing",
  "typing_edit_message",
];

const none: ReadonlySet<never> = new Set<never>();

/** How many people's channels are cached. Beyond it the whole cache is dropped and filled again. */
const MAX_KEPT_PEOPLE = 1000;

/** The subscribers of each channel, and the queues of this node that listen to it. */
export class Subscribers {
  readonly #ofChannel = new Map<ChannelId, Set<UserId>>();
  /**
   * Kept beside the subscribers, so that the cost of a send depends on its listeners, not its
   * subscribers.
   */
  readonly #listeners = new Map<ChannelId, Set<Queue>>();
  readonly #versions = new Map<ChannelId, number>();
  /** Grows with every change of any channel's subscribers. */
  version = 0;
  /** The channels of people looked up lately: a reading client asks for everything that one person sees. */
  readonly #ofPerson = new Map<UserId, ReadonlySet<ChannelId>>();

  of(channelId: ChannelId): ReadonlySet<UserId> {
    return this.#ofChannel.get(channelId) ?? none;
  }

  listeners(channelId: ChannelId): ReadonlySet<Queue> {
    return this.#listeners.get(channelId) ?? none;
  }

  has(channelId: ChannelId, userId: UserId): boolean {
    // For people in `#ofPerson` this checks one small set. A check of all channels would visit all large
    // sets.
    const own = this.#ofPerson.get(userId);
    return own ? own.has(channelId) : this.#ofChannel.get(channelId)?.has(userId) === true;
  }

  /**
   * Grows with every change to the channel's subscribers, so that caches derived from them can tell when
   * they are stale.
   */
  versionOf(channelId: ChannelId): number {
    return this.#versions.get(channelId) ?? 0;
  }

  /** A set that never changes: each change makes a new set. */
  channelsOf(userId: UserId): ReadonlySet<ChannelId> {
    let ids = this.#ofPerson.get(userId);
    if (!ids) {
      ids = this.#findChannelsOf(userId);
      if (this.#ofPerson.size >= MAX_KEPT_PEOPLE) this.#ofPerson.clear();
      this.#ofPerson.set(userId, ids);
    }
    return ids;
  }

  add(channelId: ChannelId, userId: UserId, queues: Iterable<Queue>): void {
    setOf(this.#ofChannel, channelId).add(userId);
    for (const queue of queues) this.listen(channelId, queue);
    this.#changed(channelId, userId);
  }

  remove(channelId: ChannelId, userId: UserId, queues: Iterable<Queue>): void {
    this.#ofChannel.get(channelId)?.delete(userId);
    for (const queue of queues) this.unlisten(channelId, queue);
    this.#changed(channelId, userId);
  }

  listen(channelId: ChannelId, queue: Queue): void {
    if (aboutChannels.some((type) => queue.wants(type))) setOf(this.#listeners, channelId).add(queue);
  }

  unlisten(channelId: ChannelId, queue: Queue): void {
    this.#listeners.get(channelId)?.delete(queue);
  }

  #findChannelsOf(userId: UserId): ReadonlySet<ChannelId> {
    const ids = new Set<ChannelId>();
    for (const [channelId, subscribers] of this.#ofChannel) if (subscribers.has(userId)) ids.add(channelId);
    return ids;
  }

  #changed(channelId: ChannelId, userId: UserId): void {
    this.version++;
    this.#versions.set(channelId, this.versionOf(channelId) + 1);
    this.#ofPerson.delete(userId);
  }
}

function setOf<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  let set = map.get(key);
  if (!set) {
    set = new Set();
    map.set(key, set);
  }
  return set;
}

/** What changed, by channel. */
export type SubscribersPatch = readonly {
  channelId: ChannelId;
  added?: readonly UserId[];
  removed?: readonly UserId[];
}[];

export const subscribers: QueueProjection<Subscribers, SubscribersPatch> = {
  name: "subscribers",
  async load(tx, organizationId) {
    const value = new Subscribers();
    const pages = pagesOf<Subscription>((last) => listSubscribers(tx, organizationId, last));
    for await (const page of pages) {
      for (const { channelId, userId } of page) value.add(channelId, userId, []);
    }
    return value;
  },
  apply(value, patch, state) {
    for (const { channelId, added, removed } of patch) {
      for (const userId of added ?? []) value.add(channelId, userId, queuesOf(state).ofUser(userId));
      for (const userId of removed ?? []) value.remove(channelId, userId, queuesOf(state).ofUser(userId));
    }
  },
  queueAdded(value, queue) {
    for (const channelId of value.channelsOf(queue.userId)) value.listen(channelId, queue);
  },
  queueRemoved(value, queue) {
    for (const channelId of value.channelsOf(queue.userId)) value.unlisten(channelId, queue);
  },
};

/** Whether a user was subscribed to a channel at a position of the log. The intervals are kept forever. */
export async function subscribedAt(
  state: OrganizationState,
  tx: Parameters<AudienceRule["reader"]>[1],
  userId: UserId,
): Promise<(channelId: ChannelId, position: number) => boolean> {
  const intervals = new Map<ChannelId, { from: number; to: number | null }[]>();
  for (const interval of await listSubscriptionIntervals(tx, state.organizationId, userId)) {
    pushTo(intervals, interval.channelId, interval);
  }
  return (channelId, position) =>
    (intervals.get(channelId) ?? []).some(
      ({ from, to }) => from < position && (to === null || position < to),
    );
}
