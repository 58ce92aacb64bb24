import type { ChannelId, TopicId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Channel } from "../channel.ts";
import { findOrMakeTopic } from "./recipients.ts";
import { parseWholeTopicName } from "./topic-name.ts";
import { findTopic } from "./topic-store.ts";

/** A topic and its channel. */
export interface PlacedTopic {
  id: TopicId;
  channelId: ChannelId;
  name: string;
}

/**
 * The topic of that name in a channel, in any spelling. A new topic is created, since a topic needs no
 * messages.
 */
export async function topicNamed(
  state: OrganizationState,
  channel: Channel,
  name: string,
): Promise<PlacedTopic> {
  const topic = await findOrMakeTopic(state, channel.id, parseWholeTopicName(name));
  return { id: topic.id, channelId: channel.id, name: topic.name };
}

/** Like `topicNamed`, without creating the topic. */
export async function findTopicNamed(
  state: OrganizationState,
  channel: Channel,
  name: string,
): Promise<PlacedTopic | undefined> {
  const found = await findTopic(state.database, state.organizationId, channel.id, parseWholeTopicName(name));
  return found && { id: found.id, channelId: channel.id, name: found.name };
}
