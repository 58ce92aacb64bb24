/**
 * Messages that a change posts by itself, such as notices from the service. They are entries of the change's
 * own transaction and come after its events. So nobody reads about a change that did not happen, and the
 * people whom the change subscribes receive them. The caller is responsible for permission: nothing here
 * checks who may write to a place.
 */

import type { ChannelId, ConversationId, GroupId, MessageId, RecipientId, UserId } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { findConversation, findOrInsertConversation } from "../../channels/recipients/conversation-store.ts";
import { findOrMakeConversation, findOrMakeTopic } from "../../channels/recipients/recipients.ts";
import { parseTopicName } from "../../channels/recipients/topic-name.ts";
import { findOrInsertTopic, findTopic, type Topic } from "../../channels/recipients/topic-store.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { topicsPolicyOf } from "../../channels/topics-policy.ts";
import { renderContent } from "../../content/rendering.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { type User, users } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { messageEntry } from "../delivery/message-log.ts";
import { type PersonalBits, personalBitsOf } from "../mentions/personal-flags.ts";
import { parseContent } from "../model/content.ts";
import { messageFacts, personalFlags, SERVICE_CLIENT } from "../model/message.ts";
import { noticeLinks } from "../model/notice-links.ts";
import { insertMessagesAfter } from "../model/store.ts";
import { keepNewAsRead } from "../read-state/ranges.ts";
import type { Send } from "./batch.ts";
import { factBits } from "./prepare.ts";

export interface Post {
  /**
   * A topic of a channel, with the channel as the change leaves it if need be. Or the people of a direct
   * message, without the sender.
   */
  to: { channel: Channel; topic: string } | { userIds: readonly UserId[] };
  /** Markdown. */
  content: string;
  /** By default, the notification bot. */
  sender?: User;
  /**
   * Who did what the message reports. A text of theirs that it quotes links only channels that they and all
   * readers may know of.
   */
  onBehalfOf?: User;
  /**
   * Channels that the service's own words link to, as the change leaves them. They are linked in any case.
   */
  changedChannels?: readonly Channel[];
  /** A person whom the change adds, if the message is to them or mentions them. */
  newcomer?: User;
  /** Gets the message's id, before the commit. */
  posted?: (id: MessageId) => void;
  /** The only people for whom it comes unread, by their settings. By default, for all who receive it. */
  unreadFor?: ReadonlySet<UserId>;
  /** A recipient who did what the message reports: it counts as read for them. */
  knownTo?: UserId;
}

/** Posts a message. Its id and its event exist once the transaction commits. */
export async function postMessage(tx: Change, post: Post): Promise<void> {
  await postMessages(tx, [post]);
}

/**
 * Posts messages in this order. A mention reaches the people who were subscribed to the channel before the
 * change.
 */
export async function postMessages(tx: Change, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return;
  const sends: Send[] = [];
  for (const post of posts) sends.push(await prepare(tx, post));
  tx.appendRows({
    count: sends.length,
    async write(inner, base) {
      const sentAt = new Date();
      await insertMessagesAfter(inner, tx.state.organizationId, base, sends, sentAt);
      for (const [index, { knownTo, posted }] of posts.entries()) {
        const id = (base + index + 1) as MessageId;
        posted?.(id);
        if (knownTo !== undefined) await keepNewAsRead(tx, knownTo, id);
      }
      const seconds = Math.floor(sentAt.getTime() / 1000);
      return sends.map((send, index) => messageEntry((base + index + 1) as MessageId, send, seconds));
    },
  });
}

async function prepare(tx: Change, post: Post): Promise<Send> {
  const { state } = tx;
  const sender = post.sender ?? notificationBotOf(state);
  const content = parseContent(post.content);
  const { html, facts } = renderContent(state, content, {
    changed: post.changedChannels,
    newcomer: post.newcomer,
    canLink: noticeLinks(state, post.onBehalfOf, post.to, post.newcomer),
  });
  const place = await findPlace(tx, sender, post.to);
  return {
    ...place,
    senderId: sender.id,
    client: SERVICE_CLIENT,
    content,
    renderedContent: html,
    facts: factBits(facts) | (isReadOnArrival(post) ? messageFacts.readOnArrival : 0),
    mentionedGroupIds: facts.mentionedGroupIds.length > 0 ? (facts.mentionedGroupIds as GroupId[]) : null,
    localQueueId: null,
    localId: null,
    widget: null,
    personal: withBit(
      withBit(
        personalBitsOf(
          state,
          { senderId: sender.id, content, mentionedUserIds: facts.mentionedUserIds },
          receiverTest(state, place),
        ),
        post.knownTo === undefined ? [] : [post.knownTo],
        personalFlags.readOnArrival,
      ),
      post.unreadFor ?? [],
      personalFlags.unreadOnArrival,
    ),
    changes: null,
    contacts: null,
    calls: null,
    uploads: null,
    // The service's own words link to nothing outside that is worth a preview.
    linksPages: false,
    stateHead: state.stateHead,
  };
}

/** Nothing is unread in an archived channel, where only the service still posts. */
function isReadOnArrival({ to, unreadFor }: Post): boolean {
  return unreadFor !== undefined || ("channel" in to && to.channel.isArchived);
}

function withBit(bits: PersonalBits, people: Iterable<UserId>, bit: number): PersonalBits {
  const all = new Map(bits);
  for (const userId of people) all.set(userId, (all.get(userId) ?? 0) | bit);
  return [...all];
}

interface Place extends Pick<Send, "topicId" | "topic"> {
  recipientId: RecipientId;
  userIds: UserId[] | null;
}

async function findPlace(tx: Change, sender: User, to: Post["to"]): Promise<Place> {
  if ("channel" in to) {
    const isUnnamed = topicsPolicyOf(tx.state, to.channel) === "empty_topic_only";
    const topic = await findOrMakeTopicIn(tx, to.channel.id, isUnnamed ? "" : parseTopicName(to.topic));
    return { recipientId: to.channel.id, topicId: topic.id, topic: topic.name, userIds: null };
  }
  const userIds = [...new Set([...to.userIds, sender.id])].sort((a, b) => a - b);
  return { recipientId: await findOrMakeConversationOf(tx, userIds), topicId: null, topic: "", userIds };
}

/**
 * Reads through the transaction, which may have renamed the topic. It inserts nothing that others could wait
 * for: only what is in a channel that it has created itself.
 */
async function findOrMakeTopicIn(tx: Change, channelId: ChannelId, name: string): Promise<Topic> {
  const { state } = tx;
  if (!state.get(channels).byId.has(channelId)) {
    return findOrInsertTopic(tx, state.organizationId, channelId, name);
  }
  return (
    (await findTopic(tx, state.organizationId, channelId, name)) ?? findOrMakeTopic(state, channelId, name)
  );
}

/** As above. It inserts only what is with a person whom the transaction itself has created. */
async function findOrMakeConversationOf(tx: Change, userIds: readonly UserId[]): Promise<ConversationId> {
  const { state } = tx;
  const { byId } = state.get(users);
  if (!userIds.every((userId) => byId.has(userId))) {
    return findOrInsertConversation(tx, state.organizationId, userIds);
  }
  return (
    (await findConversation(tx, state.organizationId, userIds)) ?? findOrMakeConversation(state, userIds)
  );
}

function receiverTest(
  state: OrganizationState,
  { recipientId, userIds }: Place,
): (userId: UserId) => boolean {
  if (userIds) return (userId) => userIds.includes(userId);
  return (userId) => state.get(subscribers).has(recipientId as ChannelId, userId);
}
