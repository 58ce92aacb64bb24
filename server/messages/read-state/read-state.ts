import type { MessageId, UserId } from "../../../api/ids.ts";

/**
 * Places where a message itself says that it was read from the beginning, without a row in the table of read
 * states.
 */
export const readOnArrival = {
  /** In the facts of a message: its sender has read it. */
  factBit: 8,
  /** In the flags that a person has on a message: they have read it. */
  flagBit: 16,
  /** In the facts of a message: all who receive it have read it, but for those with the bit below. */
  noticeBit: 256,
  /** In the flags that a person has on such a message: it came unread for them. */
  exceptionBit: 64,
} as const;

/** One person's stored state of a message. */
export interface PersonalBits {
  /** Their flags. */
  personal: number;
  isInRanges: boolean;
  isMarkedUnread: boolean;
}

export interface ReadState {
  /** Whether the reader has read it. A message that they never received counts as read. */
  isRead: boolean;
  /**
   * Whether it is from before the reader's present subscription, and so read unless marked unread by hand.
   */
  isEarlier: boolean;
}

/**
 * Whether somebody has read a message. `since` is where their present subscription began, or 0 for a direct
 * message. It is null if nothing can be unread, because they are not subscribed or the channel is archived.
 */
export function readStateOf(
  userId: UserId,
  message: { id: MessageId; senderId: UserId; facts: number },
  own: PersonalBits,
  since: number | null,
): ReadState {
  const isOwnRead = message.senderId === userId && (message.facts & readOnArrival.factBit) !== 0;
  const isRead = (own.personal & readOnArrival.flagBit) !== 0;
  const cameRead = isOwnRead || isRead || isNoticeReadOf(message, own.personal);
  const isEarlier = since === null || message.id < since;
  const isUnread = !cameRead && (isEarlier ? since !== null && own.isMarkedUnread : !own.isInRanges);
  return { isRead: !isUnread, isEarlier };
}

/** Whether a notice was read on arrival by a person with these flags on it who received it. */
export function isNoticeReadOf({ facts }: { facts: number }, personal: number): boolean {
  return (facts & readOnArrival.noticeBit) !== 0 && (personal & readOnArrival.exceptionBit) === 0;
}
