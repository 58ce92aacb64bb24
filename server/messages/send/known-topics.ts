import type { TopicId, UserId } from "../../../api/ids.ts";
import type { Channel } from "../../channels/channel.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { hasTopicMessages } from "../model/topic-messages-store.ts";
import { findSubscriptionIntervals, NO_LIMIT } from "../query/readable/readable-ranges.ts";

/** The limit of topics kept in memory. When there are more, all are dropped. */
const MAX_KEPT = 50_000;

/**
 * Topics that this node knows to have messages. Thanks to it, checking whether a message starts its topic
 * usually needs no query. In channels without shared history the knowledge is kept per user: to a user who
 * can see nothing in a topic, the topic is new.
 */
export class KnownTopics {
  readonly #forAll = new Set<TopicId>();
  readonly #forSome = new Map<TopicId, Set<UserId>>();
  /** How many patches have been applied. */
  version = 0;

  has(topicId: TopicId, userId: UserId, isHistoryShared: boolean): boolean {
    return isHistoryShared ? this.#forAll.has(topicId) : this.#forSome.get(topicId)?.has(userId) === true;
  }

  add(topicId: TopicId, userId: UserId, isHistoryShared: boolean): void {
    if (this.#forAll.size + this.#forSome.size >= MAX_KEPT) {
      this.#forAll.clear();
      this.#forSome.clear();
    }
    if (isHistoryShared) this.#forAll.add(topicId);
    else this.#forSome.set(topicId, (this.#forSome.get(topicId) ?? new Set()).add(userId));
  }

  forget(topicIds: readonly TopicId[]): void {
    this.version++;
    for (const topicId of topicIds) {
      this.#forAll.delete(topicId);
      this.#forSome.delete(topicId);
    }
  }
}

/** State patch: topics that lost messages and may now be empty. */
export const knownTopics: Projection<KnownTopics, readonly TopicId[]> = {
  name: "known_topics",
  isAdvisory: true,
  load: async () => new KnownTopics(),
  apply(value, patch) {
    value.forget(patch);
  },
};

/** Whether a topic has any message for a viewer who can send to it, and so can read the channel. */
export function isKnownTopic(viewer: Viewer, channel: Channel, topicId: TopicId): boolean | Promise<boolean> {
  const { state, user } = viewer;
  const isShared = channel.isHistoryShared;
  return (
    state.get(knownTopics).has(topicId, user.id, isShared) || findIsKnown(viewer, channel, topicId, isShared)
  );
}

async function findIsKnown(
  viewer: Viewer,
  channel: Channel,
  topicId: TopicId,
  isShared: boolean,
): Promise<boolean> {
  const { state, user } = viewer;
  const known = state.get(knownTopics);
  const before = known.version;
  const idRanges = isShared ? [everything] : await listReceivedRanges(viewer, channel);
  const has = await hasTopicMessages(state.database, state.organizationId, topicId, idRanges);
  if (has && known.version === before) known.add(topicId, user.id, isShared);
  return has;
}

const everything = { after: 0, before: NO_LIMIT };

async function listReceivedRanges({ state, user }: Viewer, channel: Channel) {
  const received = await findSubscriptionIntervals({ state, user }, state.database, [channel.id]);
  return received.intervals(channel.id).map(({ from, to }) => ({ after: from, before: to ?? NO_LIMIT }));
}
