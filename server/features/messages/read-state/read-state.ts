import type { UserId } from "../../../../api/ids.ts";
import { hasFlag, messageFacts, personalFlags } from "../model/message.ts";
import type { PersonalRow } from "../query/fetch.ts";

export interface ReadState {
  /** Whether the reader has read it; what they never received counts as read. */
  isRead: boolean;
  /** Whether it is from before the reader's present subscription, and so read unless marked unread by hand. */
  isEarlier: boolean;
}

/**
 * Whether somebody has read a message, by what their rows say of it. `since`: where their present subscription began, 0 for
 * a direct message; null where nothing can be unread for them, since they are not subscribed or the channel is archived.
 */
export function readStateOf(
  userId: UserId,
  message: Pick<PersonalRow, "id" | "senderId" | "facts">,
  own: Pick<PersonalRow, "personal" | "isInRanges" | "isMarkedUnread">,
  since: number | null,
): ReadState {
  const isOwnRead = message.senderId === userId && hasFlag(message.facts, messageFacts.readBySender);
  const cameRead = isOwnRead || hasFlag(own.personal, personalFlags.readOnArrival);
  const isEarlier = since === null || message.id < since;
  const isUnread = !cameRead && (isEarlier ? since !== null && own.isMarkedUnread : !own.isInRanges);
  return { isRead: !isUnread, isEarlier };
}
