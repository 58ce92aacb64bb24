/** What the menu of a message asks and reports. Keys do not lead here. */
import { deleteMessage } from "../../../api/messages/delete-messages.ts";
import { createReminder } from "../../../api/personal/reminders.ts";
import type { Message } from "../../../client/model/messages.ts";
import { lazyPart } from "../../i18n/lazy-part.ts";
import { t } from "../../i18n/t.ts";
import { askLater } from "../../shared/later/ask-later.tsx";
import { problemOf } from "../../shared/state/problem-of.ts";
import { state } from "../../shared/state/state.ts";
import { shortTime } from "../../shared/text/times.ts";
import { announce } from "../../ui/announce.ts";
import { askFirst } from "../../ui/menus.tsx";
import { openOverlay } from "../../ui/overlay.ts";

const Report = lazyPart(async () => (await import("./report.tsx")).Report);

export function report({ id }: Message): void {
  openOverlay((close) => <Report messageId={id} onClose={close} />);
}

/** A reminder comes as a direct message with the text in it. */
export function remindOf({ id }: Message): void {
  askLater({
    title: t("reminder.title"),
    action: t("reminder.action"),
    hasNote: true,
    async run(at, note) {
      const parameters = { message_id: id, scheduled_delivery_timestamp: at, ...(note !== "" && { note }) };
      const problem = await problemOf(() => state.connection.call(createReminder, parameters));
      if (problem === undefined) announce(t("reminder.set", { time: shortTime(at * 1000) }));
      return problem;
    },
  });
}

export function askToDelete({ id }: Message): void {
  askFirst({
    title: t("delete.title"),
    text: t("delete.text"),
    action: t("delete.action"),
    run: () => problemOf(() => state.connection.call(deleteMessage, { message_id: id })),
  });
}
