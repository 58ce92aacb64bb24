import type { MessageId } from "../../../../api/ids.ts";
import { readOnArrival } from "../../read-ranges/read-state.ts";
import type { MessageRow, SentRow } from "./columns.ts";

/** What is true of a message for everyone, as bits in one column. */
export const messageFacts = {
  mentionsChannel: 1,
  // 2 is not to be used: the index messages_to_many holds whatever has it.
  isMeMessage: 4,
  /** Its sender has read it: kept here instead of in the sender's read state, since it costs no row. */
  readBySender: readOnArrival.factBit,
  hasLink: 16,
  hasImage: 32,
  hasAttachment: 64,
  /** A poll or a list of tasks, which people take part in by submessages. */
  isWidget: 128,
} as const;

type LoggedField = Exclude<keyof MessageRow, "topic" | "localQueueId" | "localId">;
type InSeconds<T> = T extends Date ? number : T;

/** A message as its log entry carries it: as it is stored, with times in UNIX seconds. */
export type Message = { [K in LoggedField]: InSeconds<MessageRow[K]> } & {
  /** The topic's name; empty for direct messages and for the empty topic. */
  topic: string;
};

/** One literal for all messages, on the send path too: V8 gives them one shape, and no property costs a lookup. */
export function messageOf(
  id: MessageId,
  sent: SentRow,
  topic: string,
  sentAt: number,
  editedAt: number | null = null,
  movedAt: number | null = null,
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
  );
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** The client that messages of the service itself name. */
export const SERVICE_CLIENT = "internal";

/** What is true of a message for one person, as bits in `message_flags`. */
export const personalFlags = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  alertWord: 8,
  /** It was read when it came, since its recipient had muted its sender. */
  readOnArrival: readOnArrival.flagBit,
  /** It mentions all who take part in its topic, of whom they were one. */
  topicMentioned: 32,
} as const;

/** The personal flags of those whom a message mentions, but for mentions of everyone and of groups. */
export const PERSONAL_MENTIONS = personalFlags.mentioned | personalFlags.topicMentioned;

export function hasFlag(bits: number, bit: number): boolean {
  return (bits & bit) !== 0;
}
