import type { EventOf } from "../../api/event.ts";
import type { userTopicChanged } from "../../api/events/user-topics.ts";
import { foldName } from "../../api/fold-name.ts";
import { invariant, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

/** The visibility policies. */
export type TopicPolicy = "muted" | "unmuted" | "followed";

interface UserTopic {
  channelId: number;
  topic: string;
  policy: TopicPolicy;
  /** UNIX seconds. */
  updatedAt: number;
}

type UserTopicRecord = Omit<EventOf<typeof userTopicChanged>, "id" | "type">;

/** A later date is one in milliseconds. */
const NO_LONGER_SECONDS = 1e11;

const policies: readonly (TopicPolicy | undefined)[] = [undefined, "muted", "unmuted", "followed"];

/**
 * The topics for which the viewer has a visibility policy, including topics in channels that are not visible
 * now.
 */
export class UserTopics implements Subject {
  readonly #byPlace = new Map<string, UserTopic>();
  readonly handlers = {
    user_topic: (event: EventOf<typeof userTopicChanged>) => this.handleUserTopicEvent(event),
  };

  /** `muted_topics` repeats a part of it, for older clients. */
  readonly keys = ["user_topics", "muted_topics"];

  static fromSnapshot(snapshot: WireObject): UserTopics {
    const topics = new UserTopics();
    for (const record of section<UserTopicRecord>(snapshot, "user_topics")) topics.#put(record);
    return topics;
  }

  /** undefined: the topic follows its channel. */
  policyOf(channelId: number, topic: string): TopicPolicy | undefined {
    return this.#byPlace.get(keyOf(channelId, topic))?.policy;
  }

  /** Whether the topic is muted, by itself or with its channel. */
  isMuted(channelId: number, topic: string, isChannelMuted: boolean): boolean {
    const policy = this.policyOf(channelId, topic);
    return policy === undefined ? isChannelMuted : policy === "muted";
  }

  *all(): Iterable<Readonly<UserTopic>> {
    yield* this.#byPlace.values();
  }

  handleUserTopicEvent(event: EventOf<typeof userTopicChanged>): void {
    this.#put(event);
  }

  /** No event is sent if only the spelling of a topic changes. */
  comparable(): unknown {
    const rows = [...this.#byPlace].map(
      ([key, { policy, updatedAt }]) => [key, { policy, updatedAt }] as const,
    );
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #put({ stream_id, topic_name, visibility_policy, last_updated }: UserTopicRecord): void {
    const key = keyOf(stream_id, topic_name);
    const policy = policies[visibility_policy];
    if (!policy) this.#byPlace.delete(key);
    else this.#byPlace.set(key, { channelId: stream_id, topic: topic_name, policy, updatedAt: last_updated });
  }
}

function keyOf(channelId: number, topic: string): string {
  return `${channelId} ${foldName(topic)}`;
}

export function checkInvariants(topics: UserTopics): void {
  for (const { channelId, topic, updatedAt } of topics.all()) {
    const isDated = Number.isInteger(updatedAt) && updatedAt > 0 && updatedAt < NO_LONGER_SECONDS;
    invariant(isDated, `what is wanted of topic ${topic} of channel ${channelId} is not dated in seconds`);
  }
}
