import type { EventOf } from "../../api/event.ts";
import type { channelDeleted, channelUpdated } from "../../api/events/channels.ts";
import type { flagAdded, flagRemoved } from "../../api/events/flags.ts";
import type { messageSent } from "../../api/events/messages.ts";
import type { subscriptionRemoved } from "../../api/events/subscriptions.ts";
import { foldName } from "../../api/fold-name.ts";
import { closedChannels } from "./channels.ts";
import { addresseesOf, type DeletionEvent, deletedIds, newPlace, type UpdateEvent } from "./messages.ts";
import { invariant, type Subject, sorted } from "./subject.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { UserTopics } from "./user-topics.ts";
import type { WireObject } from "./wire.ts";

type FlagEvent = EventOf<typeof flagAdded> | EventOf<typeof flagRemoved>;

interface UnreadRecord {
  pms: { other_user_id: number; unread_message_ids: number[] }[];
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
  huddles: { user_ids_string: string; unread_message_ids: number[] }[];
  mentions: number[];
  old_unreads_missing: boolean;
}

type SubscriptionEvent =
  | EventOf<typeof subscriptionRemoved>
  | { op: "add" | "update" | "peer_add" | "peer_remove" };
type ChannelEvent = EventOf<typeof channelDeleted> | EventOf<typeof channelUpdated> | { op: "create" };

/**
 * A topic of a channel, or a direct-message conversation by the other people in it, ascending. For messages
 * to the viewer alone, the viewer.
 */
type Place = { channelId: number; topic: string } | { userIds: readonly number[] };

interface Bucket {
  place: Place;
  ids: Set<number>;
}

/** The parts of the model that say what is muted and which channels the viewer is subscribed to. */
interface Dependencies {
  subscriptions: Subscriptions;
  userTopics: UserTopics;
}

/** Stands for the fact that older messages are not listed. */
const INCOMPLETE = "incomplete";

const FLAGS_OF_MENTIONS = ["mentioned", "wildcard_mentioned"];

/** The messages that the viewer has not read, by conversation. */
export class Unreads implements Subject {
  /** By the conversation's key; no entry is empty. */
  readonly buckets = new Map<string, Bucket>();
  /** Unread messages that mention the viewer. */
  readonly mentions = new Set<number>();
  /** Whether there are more unread messages than the snapshot could list. */
  isIncomplete = false;
  readonly #bucketOf = new Map<number, Bucket>();
  readonly #changed = new Set<string>();
  readonly #viewerId: number;
  readonly #subscriptions: Subscriptions;
  readonly #userTopics: UserTopics;
  readonly handlers = {
    message: (event: EventOf<typeof messageSent>) => this.handleMessageEvent(event),
    update_message: (event: UpdateEvent) => this.handleUpdateEvent(event),
    delete_message: (event: DeletionEvent) => this.handleDeletionEvent(event),
    update_message_flags: (event: FlagEvent) => this.handleFlagEvent(event),
    subscription: (event: SubscriptionEvent) => this.handleSubscriptionEvent(event),
    stream: (event: ChannelEvent) => this.handleChannelEvent(event),
  };

  readonly keys = ["unread_msgs"];

  private constructor(viewerId: number, { subscriptions, userTopics }: Dependencies) {
    this.#viewerId = viewerId;
    this.#subscriptions = subscriptions;
    this.#userTopics = userTopics;
  }

  static fromSnapshot(snapshot: WireObject, viewerId: number, surroundings: Dependencies): Unreads {
    const unreads = new Unreads(viewerId, surroundings);
    const record = snapshot.unread_msgs as UnreadRecord | undefined;
    if (!record) return unreads;
    for (const { stream_id, topic, unread_message_ids } of record.streams) {
      unreads.#add({ channelId: stream_id, topic }, unread_message_ids);
    }
    for (const { other_user_id, unread_message_ids } of record.pms) {
      unreads.#add({ userIds: [other_user_id] }, unread_message_ids);
    }
    for (const { user_ids_string, unread_message_ids } of record.huddles) {
      unreads.#add(unreads.#conversation(user_ids_string.split(",").map(Number)), unread_message_ids);
    }
    for (const id of record.mentions) unreads.mentions.add(id);
    unreads.isIncomplete = record.old_unreads_missing;
    return unreads;
  }

  /** The number of unread messages, without muted channels and topics. */
  get count(): number {
    let count = 0;
    for (const { place, ids } of this.buckets.values()) {
      if (!this.#isMuted(place)) count += ids.size;
    }
    return count;
  }

  has(id: number): boolean {
    return this.#bucketOf.has(id);
  }

  inTopic(channelId: number, topic: string): ReadonlySet<number> {
    return this.buckets.get(keyOf({ channelId, topic }))?.ids ?? new Set();
  }

  /** `userIds`: the people of the conversation, with or without the viewer. */
  inConversation(userIds: readonly number[]): ReadonlySet<number> {
    return this.buckets.get(keyOf(this.#conversation(userIds)))?.ids ?? new Set();
  }

  /** The conversations whose messages changed, and their channels: see the keys below. */
  takeChanged(): readonly string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  handleMessageEvent({ message, flags }: EventOf<typeof messageSent>): void {
    if (flags.includes("read")) return;
    const to = addresseesOf(message);
    // A client that asked for the messages of all public channels also gets messages that the viewer did not
    // receive.
    if (to.kind === "channel" && !this.#subscriptions.isSubscribed(to.channelId)) return;
    const place = to.kind === "channel" ? to : this.#conversation(to.userIds);
    this.#add(place, [message.id]);
    if (FLAGS_OF_MENTIONS.some((flag) => flags.includes(flag))) this.mentions.add(message.id);
  }

  handleFlagEvent(event: FlagEvent): void {
    if (event.flag !== "read") return;
    if (event.op === "remove") this.#addBack(event);
    else if (!event.all) this.#remove(event.messages);
    else {
      this.#remove([...this.#bucketOf.keys()]);
      if (this.isIncomplete) this.#changed.add(INCOMPLETE);
      this.isIncomplete = false;
    }
  }

  /** Moves the unread messages along, and updates the mentions of an edited message. */
  handleUpdateEvent(event: UpdateEvent): void {
    const place = newPlace(event);
    if (place) this.#move(event.message_ids, place);
    const id = event.message_id;
    const isMention = FLAGS_OF_MENTIONS.some((flag) => event.flags.includes(flag));
    const bucket = this.#bucketOf.get(id);
    if (!bucket || isMention === this.mentions.has(id)) return;
    if (isMention) this.mentions.add(id);
    else this.mentions.delete(id);
    this.#noteChange(bucket.place);
  }

  handleDeletionEvent(event: DeletionEvent): void {
    this.#remove(deletedIds(event));
  }

  handleSubscriptionEvent(event: SubscriptionEvent): void {
    if (event.op !== "remove") return;
    for (const { stream_id } of event.subscriptions) this.#removeChannel(stream_id);
  }

  handleChannelEvent(event: ChannelEvent): void {
    for (const id of closedChannels(event)) this.#removeChannel(id);
  }

  /**
   * Muted messages are left out of the mentions, because a snapshot's list of mentions leaves them out too.
   */
  comparable(): unknown {
    const shown = [...this.mentions].filter((id) => {
      const bucket = this.#bucketOf.get(id);
      return !bucket || !this.#isMuted(bucket.place);
    });
    const entries = [...this.buckets].map(([key, { ids }]) => [key, sorted(ids)] as const);
    return {
      places: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))),
      mentions: sorted(shown),
      isIncomplete: this.isIncomplete,
    };
  }

  #isMuted(place: Place): boolean {
    if ("userIds" in place) return false;
    const { channelId, topic } = place;
    return this.#userTopics.isMuted(channelId, topic, this.#subscriptions.isMuted(channelId));
  }

  #conversation(userIds: readonly number[]): Place {
    const others = userIds.filter((id) => id !== this.#viewerId);
    return { userIds: others.length > 0 ? sorted(others) : [this.#viewerId] };
  }

  #add(place: Place, ids: readonly number[]): void {
    const key = keyOf(place);
    const bucket = this.buckets.get(key) ?? { place, ids: new Set() };
    for (const id of ids) {
      bucket.ids.add(id);
      this.#bucketOf.set(id, bucket);
    }
    if (bucket.ids.size > 0) this.buckets.set(key, bucket);
    if (ids.length > 0) this.#noteChange(place);
  }

  #addBack({ messages, message_details }: EventOf<typeof flagRemoved>): void {
    for (const id of messages) {
      const details = message_details?.[id];
      if (!details) continue;
      const { stream_id, topic, user_ids } = details;
      const isInChannel = details.type === "stream";
      this.#add(
        isInChannel
          ? { channelId: stream_id as number, topic: topic as string }
          : this.#conversation(user_ids ?? []),
        [id],
      );
      if (details.mentioned) this.mentions.add(id);
    }
  }

  #remove(ids: Iterable<number>): void {
    for (const id of ids) {
      const bucket = this.#bucketOf.get(id);
      if (!bucket) continue;
      this.#bucketOf.delete(id);
      this.mentions.delete(id);
      bucket.ids.delete(id);
      if (bucket.ids.size === 0) this.buckets.delete(keyOf(bucket.place));
      this.#noteChange(bucket.place);
    }
  }

  #move(ids: readonly number[], place: { channelId: number; topic: string }): void {
    const unread = ids.filter((id) => this.has(id));
    const mentions = unread.filter((id) => this.mentions.has(id));
    this.#remove(unread);
    if (!this.#subscriptions.isSubscribed(place.channelId)) return;
    this.#add(place, unread);
    for (const id of mentions) this.mentions.add(id);
  }

  #noteChange(place: Place): void {
    this.#changed.add(keyOf(place));
    if ("channelId" in place) this.#changed.add(channelKey(place.channelId));
  }

  #removeChannel(channelId: number): void {
    const buckets = [...this.buckets.values()].filter(
      ({ place }) => "channelId" in place && place.channelId === channelId,
    );
    for (const { ids } of buckets) this.#remove([...ids]);
  }
}

/** The key of all unread messages of a channel. */
export function channelKey(channelId: number): string {
  return `channel ${channelId}`;
}

/** The key of the unread messages of a topic. */
export function topicKey(channelId: number, topic: string): string {
  return keyOf({ channelId, topic });
}

/** The key of a direct-message conversation. `userIds`: the other people, or the viewer if there are none. */
export function directKey(userIds: readonly number[]): string {
  return keyOf({ userIds: sorted(userIds) });
}

function keyOf(place: Place): string {
  return "userIds" in place
    ? `direct ${place.userIds.join()}`
    : `channel ${place.channelId} ${foldName(place.topic)}`;
}

export function checkInvariants(unreads: Unreads, subscriptions: Subscriptions): void {
  const seen = new Set<number>();
  for (const [key, { place, ids }] of unreads.buckets) {
    invariant(key === keyOf(place) && ids.size > 0, `unread messages of ${key} are filed wrong, or none`);
    if ("channelId" in place) {
      const isHeard = subscriptions.isSubscribed(place.channelId);
      invariant(
        isHeard,
        `there are unread messages in channel ${place.channelId}, which is not subscribed to`,
      );
    }
    for (const id of ids) {
      invariant(!seen.has(id) && unreads.has(id), `message ${id} is unread in two places`);
      seen.add(id);
    }
  }
  for (const id of unreads.mentions) invariant(seen.has(id), `message ${id} is a mention but not unread`);
}
