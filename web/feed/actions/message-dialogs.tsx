/** What opens above the feed for one message. Each is fetched when it is first needed. */
import type { Message } from "../../../client/model/messages.ts";
import { canSeeReceipts } from "../../../client/permissions.ts";
import { lazyPart } from "../../i18n/lazy-part.ts";
import { state } from "../../shared/state/state.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { holdKeys } from "../../ui/type-ahead.ts";
import { reactWith } from "./message-actions.ts";

const History = lazyPart(async () => (await import("./history.tsx")).History);
const Receipts = lazyPart(async () => (await import("./receipts.tsx")).Receipts);
const Source = lazyPart(async () => (await import("./source.tsx")).Source);
const EmojiPicker = lazyPart(async () => (await import("../../ui/emoji-picker.tsx")).EmojiPicker);

export function showHistory(message: Message): void {
  openOverlay((close) => <History messageId={message.id} onClose={close} />);
}

export function showSource(message: Message): void {
  openOverlay((close) => <Source messageId={message.id} onClose={close} />);
}

/** False: the organization does not show who has read messages. */
export function showReceipts({ id }: Message): boolean {
  if (!canSeeReceipts(state.model)) return false;
  openOverlay((close) => <Receipts messageId={id} onClose={close} />);
  return true;
}

export function pickReaction(message: Message, anchor: Element): void {
  openOverlay((close) => {
    holdKeys("[role=dialog]", close);
    return <EmojiPicker anchor={anchor} onPick={(emoji) => reactWith(message, emoji)} onClose={close} />;
  });
}
