/** The keys of a feed: to go through its messages, and to answer the selected one. */
import { createEffect, on } from "solid-js";
import type { Message } from "../../client/model/messages.ts";
import { channelNarrow, keyOfNarrow } from "../../client/narrow.ts";
import { canEditText, canSeeHistory } from "../../client/permissions.ts";
import { editRequests, focusCompose } from "../shared/compose/compose-target.ts";
import { editMessage } from "../shared/compose/editing.ts";
import { mediumOf } from "../shared/media/medium.ts";
import { openViewer } from "../shared/media/open-viewer.tsx";
import { openUserCard } from "../shared/people/open-user-card.tsx";
import { linkTo, narrowOfMessage } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { thumbsUp } from "../shared/text/thumbs-up.ts";
import { moveMessage } from "../shared/topics/move.tsx";
import { toggleMuted } from "../shared/topics/topic-actions.ts";
import { bindKeys } from "../ui/keys.ts";
import {
  copyLink,
  forward,
  markUnreadFrom,
  quote,
  reactWith,
  replyMentioning,
  replyTo,
  replyToSender,
  showInContext,
  toggleFlag,
  toggleReaction,
} from "./actions/message-actions.ts";
import { pickReaction, showHistory, showReceipts, showSource } from "./actions/message-dialogs.tsx";
import { openMessageMenu } from "./actions/open-message-menu.ts";
import { createSelection, type Parts } from "./feed-selection.ts";

export function bindFeedKeys(parts: Parts): void {
  const { view, scroll } = parts;
  const { move, current, onMessage, onMarked, editLast } = createSelection(parts);
  const editOrShow = (message: Message) =>
    canEditText(state.model, message) ? editMessage(message.id) : showSource(message);
  const toggleFirst = (message: Message) =>
    message.reactions[0] && toggleReaction(message, message.reactions[0]);
  const history = (message: Message) => canSeeHistory(state.model, message) && showHistory(message);
  createEffect(on(editRequests, () => void editLast(), { defer: true }));
  bindKeys([
    { keys: ["j", "ArrowDown"], label: "key.next", run: () => move(1) },
    { keys: ["k", "ArrowUp"], label: "key.previous", run: () => move(-1) },
    { keys: ["Shift+J"], label: "key.pageDown", run: () => scroll.page(1) },
    { keys: ["Shift+K"], label: "key.pageUp", run: () => scroll.page(-1) },
    { keys: ["Home"], label: "key.oldest", run: () => scroll.toTop() },
    { keys: ["End", "Shift+G"], label: "key.newest", run: () => void scroll.toNewest() },
    {
      keys: ["r", "Enter"],
      label: "key.reply",
      run: (event) => (isControl(event.target) ? false : reply()),
    },
    { keys: ["Shift+R"], label: "message.replyToSender", run: onMessage(replyToSender) },
    { keys: ["@"], label: "message.replyMentioning", run: onMessage(replyMentioning) },
    { keys: [">"], label: "message.quote", run: onMarked((message, words) => void quote(message, words)) },
    { keys: ["<"], label: "message.forward", run: onMessage((message) => void forward(message)) },
    { keys: ["e"], label: "key.edit", run: onMessage(editOrShow) },
    { keys: [":"], label: "message.react", run: onMessage(pickReaction) },
    { keys: ["+"], label: "key.thumbsUp", run: onMessage((message) => reactWith(message, thumbsUp)) },
    { keys: ["="], label: "key.firstReaction", run: onMessage(toggleFirst) },
    {
      keys: ["Mod+s"],
      label: "message.star",
      run: onMessage((message) => toggleFlag(message, "starred")),
    },
    { keys: ["-"], label: "message.collapse", run: onMessage((message) => toggleFlag(message, "collapsed")) },
    { keys: ["l"], label: "message.copyLink", run: onMessage((message) => void copyLink(message)) },
    {
      keys: ["Shift+U"],
      label: "message.unreadFrom",
      run: onMessage(({ id }) => markUnreadFrom(view.narrow, id)),
    },
    {
      keys: ["u"],
      label: "key.userCard",
      run: onMessage(({ senderId }, row) => openUserCard(senderId, row)),
    },
    { keys: ["v"], label: "message.picture", run: onMessage(showPicture) },
    { keys: ["m"], label: "message.move", run: onMessage(moveMessage) },
    {
      keys: ["Shift+M"],
      label: "key.muteTopic",
      run: onMessage(({ to }) => (to.kind === "channel" ? toggleMuted(to) : false)),
    },
    { keys: ["z"], label: "message.context", run: onMessage(showInContext) },
    { keys: ["s"], label: "key.narrow", run: onMessage(narrowTo) },
    { keys: ["Shift+V"], label: "message.receipts", run: onMessage(showReceipts) },
    { keys: ["ArrowLeft"], label: "key.editLast", run: () => editLast() },
    { keys: ["Shift+H"], label: "message.history", run: onMessage(history) },
    {
      keys: ["i"],
      label: "message.actions",
      run: onMessage((message, row) => openMessageMenu(message, view.narrow, row)),
    },
  ]);

  /** From a view of several conversations to the one of the message, and from there to its channel. */
  function narrowTo({ id, to }: Message): void {
    const own = narrowOfMessage(to);
    const isHere = keyOfNarrow(own) === keyOfNarrow(view.narrow);
    if (isHere && to.kind === "channel") go(linkTo(channelNarrow(to.channelId), id));
    else go(linkTo(own, id));
  }

  function reply(): void {
    const message = current();
    if (message) replyTo(message);
    else focusCompose();
  }
}

/** The first of the message. */
function showPicture(_message: Message, row: Element): boolean {
  for (const link of row.querySelectorAll(".message_inline_image a")) {
    const medium = mediumOf(link);
    if (!medium) continue;
    openViewer(link, medium);
    return true;
  }
  return false;
}

/** Enter on a link or a button is theirs. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a, button") !== null;
}
