import type { GroupId, MessageId, RecipientId, TopicId, UserId } from "../../../../api/ids.ts";

/** What is true of a message for everyone, as bits in one column. */
export const messageFacts = {
  mentionsChannel: 1,
  // 2 is not to be used: the index messages_to_many holds whatever has it.
  isMeMessage: 4,
  /** Its sender has read it: kept here instead of in the sender's read state, since it costs no row. */
  readBySender: 8,
  hasLink: 16,
  hasImage: 32,
  hasAttachment: 64,
  /** A poll or a list of tasks, which people take part in by submessages. */
  isWidget: 128,
} as const;

/** A message as stored and as its log entry carries it. */
export interface Message {
  id: MessageId;
  recipientId: RecipientId;
  /** null for direct messages. */
  topicId: TopicId | null;
  /** The topic's name; empty for direct messages and for the empty topic. */
  topic: string;
  senderId: UserId;
  client: string;
  /** UNIX seconds. */
  sentAt: number;
  facts: number;
  content: string;
  renderedContent: string;
  mentionedGroupIds: GroupId[] | null;
  /** UNIX seconds; null: never. */
  editedAt: number | null;
  movedAt: number | null;
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
  readOnArrival: 16,
  /** It mentions all who take part in its topic, of whom they were one. */
  topicMentioned: 32,
} as const;

/** The personal flags of those whom a message mentions, but for mentions of everyone and of groups. */
export const PERSONAL_MENTIONS = personalFlags.mentioned | personalFlags.topicMentioned;

export function hasFlag(bits: number, bit: number): boolean {
  return (bits & bit) !== 0;
}
