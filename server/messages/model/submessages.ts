/**
 * What people add to messages that they can act on (widget.ts says what those are). The first submessage is
 * written with the message and says what kind it is. What people do adds more submessages
 * (server/messages/polls/). Clients read them in order and compute the result; the server keeps no votes.
 */
import type { MessageId, UserId } from "../../../api/ids.ts";
import type { SubmessageRecord } from "../../../api/messages/message.ts";

export interface Submessage {
  id: number;
  messageId: MessageId;
  senderId: UserId;
  /** `WIDGET_KIND`: there is no other so far. */
  kind: string;
  /** JSON. */
  content: string;
}

export const WIDGET_KIND = "widget";

export function presentSubmessage(submessage: Submessage): SubmessageRecord {
  return {
    id: submessage.id,
    message_id: submessage.messageId,
    sender_id: submessage.senderId,
    msg_type: submessage.kind,
    content: submessage.content,
  };
}
