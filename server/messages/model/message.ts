import type { MessageId, UserId } from "../../../api/ids.ts";
import { readOnArrival } from "../read-state/read-state.ts";
import type { MessageRow, SentRow } from "./columns.ts";

/** Facts about a message that hold for everyone, as bits in one column. */
export const messageFacts = {
  mentionsChannel: 1,
  // Don't use 2: the index messages_to_many contains every message with that bit.
  isMeMessage: 4,
  /**
   * The sender has read the message. The bit is here instead of in the sender's read state, since here it
   * costs no row.
   */
  readBySender: readOnArrival.factBit,
  hasLink: 16,
  hasImage: 32,
  hasAttachment: 64,
  /** A poll or a task list. People take part in it with submessages. */
  isWidget: 128,
  /** Everybody has read it on arrival, but for those with `personalFlags.unreadOnArrival` on it. */
  readOnArrival: readOnArrival.noticeBit,
} as const;

type LoggedField = Exclude<keyof MessageRow, "topic" | "localQueueId" | "localId">;
type InSeconds<T> = T extends Date ? number : T;

/** A message as its log entry carries it: the stored row, with times in UNIX seconds. */
export type Message = { [K in LoggedField]: InSeconds<MessageRow[K]> } & {
  /** The topic's name. It is empty for direct messages and for the empty topic. */
  topic: string;
};

/**
 * One object literal for all messages, on the send path too. So V8 gives them one shape, and no property
 * costs a lookup.
 */
export function messageOf(
  id: MessageId,
  sent: SentRow,
  topic: string,
  sentAt: number,
  editedAt: number | null = null,
  movedAt: number | null = null,
  mentionedGroupPositions: number[] | null = null,
): Message {
  return {
    id,
    recipientId: sent.recipientId,
    topicId: sent.topicId,
    topic,
    senderId: sent.senderId,
    client: sent.client,
    sentAt,
    facts: sent.facts,
    content: sent.content,
    renderedContent: sent.renderedContent,
    mentionedGroupIds: sent.mentionedGroupIds,
    mentionedGroupPositions,
    editedAt,
    movedAt,
  };
}

export function toMessage(row: MessageRow): Message {
  const { id, topic, sentAt, editedAt, movedAt } = row;
  return messageOf(
    id,
    row,
    topic ?? "",
    seconds(sentAt),
    editedAt && seconds(editedAt),
    movedAt && seconds(movedAt),
    row.mentionedGroupPositions,
  );
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** The client's name on messages of the service itself. */
export const SERVICE_CLIENT = "internal";

/** A message's flags for one person, as bits in `message_flags`. */
export const personalFlags = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  alertWord: 8,
  /** The message was read on arrival, since its recipient had muted its sender. */
  readOnArrival: readOnArrival.flagBit,
  /** The message mentions all who take part in its topic, and this person was one of them. */
  topicMentioned: 32,
  /** The message came unread, although most people had read it on arrival (`messageFacts.readOnArrival`). */
  unreadOnArrival: readOnArrival.exceptionBit,
} as const;

/** The columns of a message that are read without its texts. */
export const personalFields = [
  "id",
  "recipientId",
  "topicId",
  "topic",
  "senderId",
  "sentAt",
  "editedAt",
  "facts",
  "mentionedGroupIds",
  "mentionedGroupPositions",
] as const satisfies (keyof MessageRow)[];

/** A message without its texts, with one user's flags and read state. */
export interface PersonalRow extends Pick<MessageRow, (typeof personalFields)[number]> {
  /** The people of a direct message; null for a channel message. */
  userIds: UserId[] | null;
  /** Bits of `personalFlags`. */
  personal: number;
  isInRanges: boolean;
  isMarkedUnread: boolean;
}

export type FetchedRow = MessageRow & PersonalRow;

/** The personal flags of mentioned people, except for mentions of everyone and of groups. */
export const PERSONAL_MENTIONS = personalFlags.mentioned | personalFlags.topicMentioned;

export function hasFlag(bits: number, bit: number): boolean {
  return (bits & bit) !== 0;
}
