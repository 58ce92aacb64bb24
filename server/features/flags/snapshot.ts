import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { topicDisplayName } from "../../../api/topic-name.ts";
import { readableScopeOf } from "../messages/query/readable/snapshot-ranges.ts";
import type { RegisterSection, Snapshot } from "../users/register-section.ts";
import { listStarred } from "./store.ts";
import { listUnread, MAX_UNREAD, type UnreadConversation } from "./unread.ts";

/** The sections on what a person has read and starred (spec E20). */
export const flagSection: RegisterSection = async (snapshot) => {
  const { state, viewer, tx, wants, options } = snapshot;
  const [unread, starred] = await Promise.all([
    // COMPAT: clients that follow only one of the two can't keep the counts right, so they get none.
    wants("message") && wants("update_message_flags")
      ? viewer
        ? listUnread(state, tx, viewer.user, readableScopeOf(snapshot))
        : []
      : undefined,
    wants("starred_messages") ? readStarred(snapshot) : undefined,
  ]);
  const canBeEmpty = options.capabilities.empty_topic_name === true;
  return {
    ...(unread && { unread_msgs: presentUnread(unread, viewer?.user.id, canBeEmpty) }),
    ...(starred && { starred_messages: starred }),
  };
};

function presentUnread(
  unread: readonly UnreadConversation[],
  me: UserId | undefined,
  canBeEmpty: boolean,
): Record<string, unknown> {
  const direct = unread.flatMap(({ userIds, messageIds }) => (userIds ? [{ userIds, ids: messageIds }] : []));
  const total = sum(unread);
  return {
    count: sum(unread.filter(({ isMuted }) => !isMuted)),
    pms: direct
      .filter(({ userIds }) => userIds.length <= 2)
      .map(({ userIds, ids }) => {
        const other = userIds.find((id) => id !== me) ?? me;
        return { other_user_id: other, sender_id: other, unread_message_ids: ids };
      }),
    streams: unread
      .filter(({ userIds }) => !userIds)
      .map(({ recipientId, topic, messageIds }) => ({
        stream_id: recipientId,
        topic: topicDisplayName(topic ?? "", canBeEmpty),
        unread_message_ids: messageIds,
      })),
    huddles: direct
      .filter(({ userIds }) => userIds.length > 2)
      .map(({ userIds, ids }) => ({ user_ids_string: userIds.join(), unread_message_ids: ids })),
    mentions: unread.flatMap(({ mentionIds }) => mentionIds ?? []).sort((a, b) => a - b),
    old_unreads_missing: total >= MAX_UNREAD,
  };
}

function sum(conversations: readonly UnreadConversation[]): number {
  return conversations.reduce((count, { messageIds }) => count + messageIds.length, 0);
}

/** The starred messages that the viewer can still read. */
async function readStarred(snapshot: Snapshot): Promise<MessageId[]> {
  const { state, viewer, tx } = snapshot;
  if (!viewer) return [];
  const [starred, { accessByChannel, received }] = await Promise.all([
    listStarred(tx, state.organizationId, viewer.user.id),
    readableScopeOf(snapshot),
  ]);
  return starred
    .filter(({ id, recipientId, isDirect }) => {
      const channelId = recipientId as ChannelId;
      const access = accessByChannel.get(channelId);
      return isDirect || access === "all" || (access === "received" && received.has(channelId, id));
    })
    .map(({ id }) => id);
}
