import { foldName } from "../../../api/fold-name.ts";
import type { ChannelId, ConversationId, UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { findOrCommitConversation } from "./conversation-store.ts";
import { findOrCommitTopic, type Topic } from "./topic-store.ts";

/**
 * The limit for the ids of topics and conversations in memory. Each map is emptied when it grows past this.
 */
const MAX_KEPT = 50_000;

/**
 * The ids of topics and conversations by name or people. Conversations never change. A topic that changes is
 * dropped by the change's log entry. So the entries here are always correct.
 */
class Recipients {
  readonly topics = new Map<string, Topic>();
  readonly conversations = new Map<string, ConversationId>();
  /** Look-ups under way. Sends to one new topic share a look-up, so they never take many connections. */
  readonly meeting = new Map<string, Promise<unknown>>();
}

/** State patch: the channels whose topics changed. */
export const recipients: Projection<Recipients, readonly ChannelId[]> = {
  name: "recipients",
  load: async () => new Recipients(),
  apply(value, patch) {
    const prefixes = patch.map((channelId) => `${channelId}/`);
    for (const key of value.topics.keys()) {
      if (prefixes.some((prefix) => key.startsWith(prefix))) value.topics.delete(key);
    }
  },
};

/**
 * Finds the topic of that name in a channel, ignoring case. A topic that does not exist yet is created by a
 * transaction of its own, which commits whether or not a message follows. A topic that this node knows by the
 * same spelling costs no query. Other spellings ask the database, since its locale decides which spellings
 * are the same topic.
 */
export function findOrMakeTopic(
  state: OrganizationState,
  channelId: ChannelId,
  name: string,
): Topic | Promise<Topic> {
  const known = state.get(recipients);
  const key = `${channelId}/${name}`;
  return (
    known.topics.get(key) ??
    meetOnce(known, `topic ${channelId}/${foldName(name)}`, () => meetTopic(state, key, channelId, name))
  );
}

/** The conversation of exactly these people, sorted by id. It is created as topics are. */
export function findOrMakeConversation(
  state: OrganizationState,
  userIds: readonly UserId[],
): ConversationId | Promise<ConversationId> {
  const known = state.get(recipients);
  const key = userIds.join();
  return (
    known.conversations.get(key) ??
    meetOnce(known, `people ${key}`, () => meetConversation(state, key, userIds))
  );
}

function meetOnce<T>({ meeting }: Recipients, key: string, meet: () => Promise<T>): Promise<T> {
  const underway = meeting.get(key) as Promise<T> | undefined;
  if (underway) return underway;
  const begun = meet().finally(() => meeting.delete(key));
  meeting.set(key, begun);
  return begun;
}

async function meetTopic(
  state: OrganizationState,
  key: string,
  channelId: ChannelId,
  name: string,
): Promise<Topic> {
  const before = state.stateHead;
  const topic = await findOrCommitTopic(state.database, state.organizationId, channelId, name);
  // A rename that was applied in the meantime had nothing here to drop. So a topic found before it is not
  // kept.
  if (state.stateHead === before) keep(state.get(recipients).topics, key, topic);
  return topic;
}

async function meetConversation(
  state: OrganizationState,
  key: string,
  userIds: readonly UserId[],
): Promise<ConversationId> {
  const id = await findOrCommitConversation(state.database, state.organizationId, userIds);
  keep(state.get(recipients).conversations, key, id);
  return id;
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_KEPT) map.clear();
  map.set(key, value);
}
