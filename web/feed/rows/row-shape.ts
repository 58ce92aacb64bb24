/** What a row shows besides its text, which depends on the row above it. */
import { keyOfNarrow } from "../../../client/narrow.ts";
import { narrowOfMessage } from "../../shared/routing/links.ts";
import { dayOf } from "../../shared/text/times.ts";
import type { RowContent } from "./rows.ts";

/** Messages of one sender that follow each other within this time share a heading. */
const GROUP_SECONDS = 600;

export interface RowShape {
  isFirstOfDay: boolean;
  /** Where views of several conversations change from one to another. */
  isFirstOfConversation: boolean;
  hasSender: boolean;
}

export function shapeOf(content: RowContent, above: RowContent | undefined): RowShape {
  const isFirstOfDay = !above || dayOf(above.sentAt) !== dayOf(content.sentAt);
  const isFirstOfConversation =
    !above || keyOfNarrow(narrowOfMessage(above.to)) !== keyOfNarrow(narrowOfMessage(content.to));
  const isSameSender = above?.senderId === content.senderId && !above.message?.isMeMessage;
  const isSoon = above !== undefined && content.sentAt - above.sentAt < GROUP_SECONDS;
  return {
    isFirstOfDay,
    isFirstOfConversation,
    hasSender:
      isFirstOfDay ||
      content.message?.isMeMessage === true ||
      isFirstOfConversation ||
      !isSameSender ||
      !isSoon,
  };
}
