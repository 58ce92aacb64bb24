/**
 * What people said and did before, for a demo or an import of another chat. Messages are entries of the log,
 * as others are. What people did with them makes no events, so it is only for an organization that nobody
 * uses yet.
 */

import type { MessageId, RecipientId, UserId } from "../../api/ids.ts";
import type { WidgetAction } from "../../api/messages/widgets.ts";
import { identifyEmoji } from "../content/emoji/reference.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import type { Change } from "../platform/log/change.ts";
import { setPersonalFlag } from "./model/flags.ts";
import { personalFlags } from "./model/message.ts";
import { insertSubmessage } from "./model/submessage-store.ts";
import { WIDGET_KIND } from "./model/submessages.ts";
import { insertReactions } from "./reactions/store.ts";
import { keepAllAsRead, keepAsUnread } from "./read-state/ranges.ts";
import type { SendRequest } from "./send/addressee.ts";
import { sendWithin } from "./send/send.ts";

export interface PastMessage extends Pick<SendRequest, "to" | "content" | "isReply"> {
  /** At or after the newest message's time. */
  sentAt: Date;
}

/**
 * Sends a message as of its time, by the checks of a message that is sent now. It calls no programs of bots.
 * If the message is older than the newest one, the change fails when it writes its rows. Otherwise `posted`
 * gets the id then.
 */
export async function sendPastMessage(
  tx: Change,
  sender: Viewer,
  { sentAt, ...message }: PastMessage,
  posted: (id: MessageId) => void,
): Promise<void> {
  await sendWithin(tx, sender, { ...message, localEcho: null, readBySender: null }, { sentAt, posted });
}

interface PastInteraction {
  messageId: MessageId;
  userId: UserId;
}

/** What people did with messages, in its order. The rows of the messages must be there. */
export interface PastInteractions {
  /** `name`: of the emoji. Those who react can read the message. */
  reactions: readonly (PastInteraction & { name: string })[];
  /** Votes in polls, and tasks that are done. */
  widgetActions: readonly (PastInteraction & { action: WidgetAction })[];
  stars: readonly PastInteraction[];
}

export async function writePastInteractions(
  tx: Change,
  { reactions, widgetActions, stars }: PastInteractions,
): Promise<void> {
  const { state } = tx;
  const { organizationId } = state;
  const rows = reactions.map(({ messageId, userId, name }) => {
    const identity = identifyEmoji(state, { name, code: undefined, type: undefined });
    return { messageId, userId, ...identity, emojiName: name };
  });
  await insertReactions(tx, organizationId, rows);
  for (const { messageId, userId, action } of widgetActions) {
    const content = JSON.stringify(action);
    await insertSubmessage(tx, organizationId, { messageId, senderId: userId, kind: WIDGET_KIND, content });
  }
  for (const { messageId, userId } of stars) {
    await setPersonalFlag(tx, userId, [messageId], personalFlags.starred);
  }
}

/** A person has read everything but these messages. */
export async function writePastReading(
  tx: Change,
  userId: UserId,
  unread: readonly { id: MessageId; recipientId: RecipientId }[],
): Promise<void> {
  await keepAllAsRead(tx, userId);
  if (unread.length === 0) return;
  const messages = unread.map(({ id }) => ({ id, isEarlier: false }));
  await keepAsUnread(tx, userId, messages);
}
