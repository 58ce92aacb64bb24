import { hasFlag, personalFlags } from "../model/message.ts";
import type { Submessage } from "../model/submessages.ts";
import type { ReactionRow } from "../query/fetch.ts";
import type { TextRow } from "./store.ts";

/** What belongs to a message besides its row. */
export interface Additions {
  reactions: readonly ReactionRow[];
  submessages: readonly Submessage[];
  flags: readonly { userId: number; flags: number }[];
}

export function messageRecord(row: TextRow, { reactions, submessages, flags }: Additions) {
  return {
    id: row.id,
    sender_id: row.senderId,
    ...(row.userIds === null
      ? { channel_id: row.recipientId, topic: row.topic ?? "" }
      : { user_ids: row.userIds }),
    sent_at: secondsOf(row.sentAt),
    client: row.client,
    content: row.content,
    edited_at: row.editedAt && secondsOf(row.editedAt),
    moved_at: row.movedAt && secondsOf(row.movedAt),
    reactions: reactions.map((reaction) => ({
      user_id: reaction.userId,
      emoji_name: reaction.emojiName,
      emoji_code: reaction.emojiCode,
      reaction_type: reaction.reactionType,
    })),
    submessages: submessages.map(({ senderId, kind, content }) => ({
      sender_id: senderId,
      msg_type: kind,
      content,
    })),
    flags: flags.flatMap(({ userId, flags: bits }) => {
      const names = flagNames.filter(([, bit]) => hasFlag(bits, bit)).map(([name]) => name);
      return names.length === 0 ? [] : [{ user_id: userId, flags: names }];
    }),
  };
}

const flagNames = [
  ["starred", personalFlags.starred],
  ["collapsed", personalFlags.collapsed],
  ["mentioned", personalFlags.mentioned],
  ["topic_wildcard_mentioned", personalFlags.topicMentioned],
  ["has_alert_word", personalFlags.alertWord],
] as const;

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
