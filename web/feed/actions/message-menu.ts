/** The actions of one message, as far as the viewer may do them. */
import type { Message } from "../../../client/model/messages.ts";
import { keyOfNarrow, type Narrow } from "../../../client/narrow.ts";
import {
  canDelete,
  canEditText,
  canReport,
  canSeeHistory,
  canSeeReceipts,
} from "../../../client/permissions.ts";
import { t } from "../../i18n/t.ts";
import { editMessage } from "../../shared/compose/editing.ts";
import { narrowOfMessage } from "../../shared/routing/links.ts";
import { state } from "../../shared/state/state.ts";
import { canMove, moveMessage } from "../../shared/topics/move.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { openMenu } from "../../ui/menus.tsx";
import { askToDelete, remindOf, report } from "./menu-dialogs.tsx";
import {
  copyLink,
  forward,
  markUnreadFrom,
  quote,
  replyToSender,
  showInContext,
  toggleFlag,
} from "./message-actions.ts";
import { pickReaction, showHistory, showReceipts, showSource } from "./message-dialogs.tsx";

export function openMessageMenu(message: Message, narrow: Narrow, anchor: Element): void {
  openMenu(t("message.actions"), anchor, itemsOf(message, narrow, anchor));
}

function itemsOf(message: Message, narrow: Narrow, anchor: Element): MenuItem[] {
  const { model } = state;
  const { flags } = message;
  const groups: (MenuItem | false)[][] = [
    [
      {
        ...{ icon: "smile", label: t("message.react"), shortcut: ":" },
        run: () => pickReaction(message, anchor),
      },
      { icon: "quote", label: t("message.quote"), shortcut: ">", run: () => void quote(message) },
      { icon: "forward", label: t("message.forward"), shortcut: "<", run: () => void forward(message) },
      message.senderId !== model.viewer.id && {
        ...{ icon: "direct", label: t("message.replyToSender"), shortcut: "Shift+R" },
        run: () => replyToSender(message),
      },
    ],
    [
      canEditText(model, message) && {
        ...{ icon: "pencil", label: t("message.edit"), shortcut: "E" },
        run: () => editMessage(message.id),
      },
      message.to.kind === "channel" &&
        canMove(message.to, message) && {
          ...{ icon: "move", label: t("message.move"), shortcut: "M" },
          run: () => moveMessage(message),
        },
    ],
    [
      {
        ...{ icon: "star", label: t(flags.has("starred") ? "message.unstar" : "message.star") },
        ...{ shortcut: "Mod+S", run: () => toggleFlag(message, "starred") },
      },
      { icon: "alarm", label: t("message.remind"), run: () => remindOf(message) },
      {
        ...{ icon: "unread", label: t("message.unreadFrom"), shortcut: "Shift+U" },
        run: () => markUnreadFrom(narrow, message.id),
      },
      {
        ...{ icon: "collapse", label: t(flags.has("collapsed") ? "message.expand" : "message.collapse") },
        ...{ shortcut: "-", run: () => toggleFlag(message, "collapsed") },
      },
    ],
    [
      { icon: "copy", label: t("message.copyLink"), shortcut: "L", run: () => void copyLink(message) },
      !isWhole(narrow, message) && {
        ...{ icon: "context", label: t("message.context"), shortcut: "Z" },
        run: () => showInContext(message),
      },
      { icon: "code", label: t("message.source"), run: () => showSource(message) },
      canSeeHistory(model, message) && {
        ...{ icon: "history", label: t("message.history"), shortcut: "Shift+H" },
        run: () => showHistory(message),
      },
      canSeeReceipts(model) && {
        ...{ icon: "eye", label: t("message.receipts"), shortcut: "Shift+V" },
        run: () => showReceipts(message),
      },
    ],
    [
      canReport(model, message) && {
        ...{ icon: "flag", label: t("message.report"), run: () => report(message) },
      },
      canDelete(model, message) && {
        ...{ icon: "trash", label: t("message.delete"), isDangerous: true },
        run: () => askToDelete(message),
      },
    ],
  ];
  // A line stands above the first entry of each group but the first.
  return groups.flatMap((group, at) =>
    group
      .filter((item) => item !== false)
      .map((item, index) => (at > 0 && index === 0 ? { ...item, startsGroup: true } : item)),
  );
}

/** Whether the view shows the whole conversation of the message. */
function isWhole(narrow: Narrow, { to }: Message): boolean {
  return keyOfNarrow(narrow) === keyOfNarrow(narrowOfMessage(to));
}
