import type { ChannelId, TopicId } from "../../../../api/ids.ts";
import { topicPolicies, type UserTopic } from "../../../attention/user-topics/policy.ts";
import { listUserTopics } from "../../../attention/user-topics/topic-policies.ts";
import { mutedChannels } from "../../../channels/subscriptions/muted-channels.ts";
import { subscribers } from "../../../channels/subscriptions/subscribers.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import type { Reader } from "../readable/readable-ranges.ts";

/**
 * What a reader does not want to see: the topics that they muted, and muted channels except for the topics
 * that they unmuted or follow.
 */
export interface MutedRecipients {
  /** The channels in which at least something is muted. */
  channelIds: ChannelId[];
  /** The channels that are muted as a whole. */
  wholeChannelIds: ChannelId[];
  /** The muted topics; undefined if whole channels are muted too. */
  onlyTopicIds: TopicId[] | undefined;
  /** A condition over messages `m`. */
  condition: Sql;
  isEmpty: boolean;
}

/** `named`: a channel that the narrow names. It counts as not muted, but topics in it may be muted. */
export async function mutedRecipients(
  reader: Reader,
  tx: Queryable,
  named?: ChannelId,
): Promise<MutedRecipients> {
  const muted = mutedBy(reader).filter((id) => id !== named);
  const policies = await userTopicsOf(reader, tx);
  const mutedTopics = policies.filter(({ policy }) => policy === topicPolicies.muted);
  const wanted = policies.filter(({ policy }) => policy !== topicPolicies.muted);
  const isWanted = new Set(wanted.map(({ channelId }) => channelId));
  return {
    wholeChannelIds: muted.filter((id) => !isWanted.has(id)),
    onlyTopicIds: muted.length > 0 ? undefined : mutedTopics.map(({ topicId }) => topicId),
    channelIds: [...new Set([...muted, ...mutedTopics.map(({ channelId }) => channelId)])],
    condition: sql`(m.topic_id = any(${mutedTopics.map(({ topicId }) => topicId)}::bigint[])
      or m.recipient_id = any(${muted}::bigint[])
        and m.topic_id <> all(${wanted.map(({ topicId }) => topicId)}::bigint[]))`,
    isEmpty: muted.length === 0 && mutedTopics.length === 0,
  };
}

export async function listFollowedTopics(reader: Reader, tx: Queryable): Promise<TopicId[]> {
  const policies = await userTopicsOf(reader, tx);
  return policies.filter(({ policy }) => policy === topicPolicies.followed).map(({ topicId }) => topicId);
}

/** A muted channel counts only while the user is subscribed to it. */
function mutedBy({ state, user }: Reader): ChannelId[] {
  if (!user) return [];
  return [...state.get(mutedChannels).of(user.id)].filter((id) => state.get(subscribers).has(id, user.id));
}

async function userTopicsOf({ state, user }: Reader, tx: Queryable): Promise<UserTopic[]> {
  return user ? listUserTopics(tx, state.organizationId, user.id) : [];
}
