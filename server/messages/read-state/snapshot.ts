import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { UserId } from "../../../api/ids.ts";
import { registerReadState } from "../../../api/register/read-state.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { readableScopeOf } from "../query/readable/snapshot-ranges.ts";
import { listUnread, MAX_UNREAD, type UnreadConversation } from "./read-state-store.ts";

/** The viewer's unread messages (spec E20). */
export const readStateSection = sectionOf(registerReadState, async (snapshot) => {
  const { state, viewer, tx, wants, options } = snapshot;
  // COMPAT: clients that follow only one of the two can't keep the counts right, so they get none.
  if (!wants("message") || !wants("update_message_flags")) return undefined;
  const unread = viewer ? await listUnread(state, tx, viewer.user, readableScopeOf(snapshot)) : [];
  const canBeEmpty = options.capabilities.empty_topic_name === true;
  return { unread_msgs: presentUnread(unread, viewer?.user.id, canBeEmpty) };
});

function presentUnread(unread: readonly UnreadConversation[], me: UserId | undefined, canBeEmpty: boolean) {
  const direct = unread.flatMap(({ userIds, messageIds }) => (userIds ? [{ userIds, ids: messageIds }] : []));
  const total = sum(unread);
  return {
    count: sum(unread.filter(({ isMuted }) => !isMuted)),
    pms: direct
      .filter(({ userIds }) => userIds.length <= 2)
      .flatMap(({ userIds, ids }) => {
        const other = userIds.find((id) => id !== me) ?? me;
        if (other === undefined) return [];
        return [{ other_user_id: other, sender_id: other, unread_message_ids: ids }];
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
