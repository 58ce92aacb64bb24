import type { ChannelId, ConversationId, TopicId, UserId } from "../../api/ids.ts";
import type { Live } from "../events/live.ts";
import type { Slice } from "../events/slice.ts";
import { findOrInsertConversation, findOrInsertTopic } from "./store.ts";

/** Ids of topics and conversations that this node has met; each map is emptied when it grows past this. */
const MAX_KEPT = 50_000;

export interface Topic {
  id: TopicId;
  name: string;
}

/**
 * Where messages go, by what people call it. Conversations never change, and a topic that does is dropped by the change's
 * log entry, so what is here is true.
 */
class Recipients {
  readonly topics = new Map<string, Topic>();
  readonly conversations = new Map<string, ConversationId>();
}

/** State patch: the channels whose topics changed. */
export const recipients: Slice<Recipients> = {
  name: "recipients",
  load: async () => new Recipients(),
  apply(state, patch) {
    const prefixes = (patch as ChannelId[]).map((channelId) => `${channelId}/`);
    for (const key of state.topics.keys()) {
      if (prefixes.some((prefix) => key.startsWith(prefix))) state.topics.delete(key);
    }
  },
};

export function topicOf(live: Live, channelId: ChannelId, name: string): Topic | Promise<Topic> {
  const { topics } = live.get(recipients);
  const key = `${channelId}/${name.toLowerCase()}`;
  return topics.get(key) ?? findTopic(live, topics, key, channelId, name);
}

export function conversationOf(
  live: Live,
  userIds: readonly UserId[],
): ConversationId | Promise<ConversationId> {
  const { conversations } = live.get(recipients);
  const key = userIds.join();
  return conversations.get(key) ?? findConversation(live, conversations, key, userIds);
}

async function findTopic(
  live: Live,
  topics: Map<string, Topic>,
  key: string,
  channelId: ChannelId,
  name: string,
): Promise<Topic> {
  const before = live.stateHead;
  const topic = await findOrInsertTopic(live.database, live.organizationId, channelId, name);
  // A rename that was applied meanwhile found nothing here to drop.
  if (live.stateHead === before) keep(topics, key, topic);
  return topic;
}

async function findConversation(
  live: Live,
  conversations: Map<string, ConversationId>,
  key: string,
  userIds: readonly UserId[],
): Promise<ConversationId> {
  const id = await findOrInsertConversation(live.database, live.organizationId, userIds);
  keep(conversations, key, id);
  return id;
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_KEPT) map.clear();
  map.set(key, value);
}
