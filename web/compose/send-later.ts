/** What the button beside "Send" offers: sending later, and which key sends. */

import { updateSettings } from "../../api/people/users.ts";
import { scheduleMessage } from "../../api/personal/scheduled-messages.ts";
import type { Address } from "../../client/outbox/message.ts";
import { t } from "../i18n/t.ts";
import { removeIfSent } from "../shared/compose/texts.ts";
import { askLater } from "../shared/later/ask-later.tsx";
import { laterTimes } from "../shared/later/later-times.ts";
import { go } from "../shared/routing/route.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { soonTime } from "../shared/text/times.ts";
import { whenUploaded } from "../shared/uploads/upload-file.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { openMenu } from "../ui/menus.tsx";
import { keyText } from "../ui/modifier.ts";
import { reportFailure } from "../ui/notice.ts";
import type { createComposeText } from "./compose-text.ts";

interface Parts {
  message: ReturnType<typeof createComposeText>;
  enterSends: boolean;
  /** Called with the time when the message was taken, in UNIX seconds. */
  onScheduled(at: number): void;
  /** Called with what went wrong. */
  onProblem(problem: string): void;
}

export function openSendMenu(anchor: Element, { message, enterSends, onScheduled, onProblem }: Parts): void {
  const hasText = message.text().trim() !== "";
  const times: MenuItem[] = laterTimes(new Date(state.model.now())).map(({ label, at }) => ({
    ...{ icon: "calendar", label: t("schedule.at", { when: t(label), time: soonTime(at) }) },
    run: () => void schedule(Math.floor(at.getTime() / 1000)),
  }));
  const other: MenuItem = { icon: "calendar", label: t("schedule.other"), run: askForTime };
  openMenu(t("schedule.title"), anchor, [
    ...(hasText ? [...times, other] : []),
    { icon: "clock", label: t("schedule.list"), run: () => go("#scheduled") },
    {
      ...{
        icon: "send",
        label: t(enterSends ? "schedule.ctrlEnter" : "schedule.enter", { keys: keyText("Mod+Enter") }),
      },
      run: () => void setEnterSends(!enterSends),
    },
  ]);

  async function schedule(at: number): Promise<void> {
    const problem = await scheduleAt(at);
    if (problem !== undefined && problem !== "") onProblem(problem);
  }

  function askForTime(): void {
    askLater({ title: t("schedule.title"), action: t("schedule.action"), run: scheduleAt });
  }

  /** Gives what went wrong. The text stays until the server has it. */
  async function scheduleAt(at: number): Promise<string | undefined> {
    const ready = message.ready();
    if (!ready) return message.problem() ?? "";
    const content = await whenUploaded(ready.content);
    if (content === undefined) return t("upload.lost");
    const parameters = { ...wireOf(ready.to), content, scheduled_delivery_timestamp: at };
    const problem = await problemOf(() => state.connection.call(scheduleMessage, parameters));
    if (problem !== undefined) return problem;
    // The links of its files are in the box by now.
    removeIfSent(ready.place, content);
    onScheduled(at);
    return undefined;
  }
}

function wireOf(to: Address) {
  if (to.kind === "direct") return { type: "direct" as const, to: [...to.userIds] };
  return { type: "channel" as const, to: to.channelId, topic: to.topic };
}

export async function setEnterSends(enterSends: boolean): Promise<void> {
  const parameters = { enter_sends: enterSends };
  await reportFailure(() => state.track(() => state.connection.call(updateSettings, parameters)));
}
