/** What the message box does besides sending: sending later, going to its place, and knowing where it may. */
import { createSignal } from "solid-js";
import { conversationNarrow } from "../../client/narrow.ts";
import { whyNotPost } from "../../client/permissions.ts";
import { linkTo } from "../app/routing/links.ts";
import { go } from "../app/routing/route.ts";
import { state } from "../app/state/state.ts";
import { shortTime } from "../app/text/times.ts";
import { loadWithTexts } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { live } from "../ui/live.ts";
import type { createComposeText } from "./compose-text.ts";
import type { Notice } from "./notice-line.tsx";

export function createComposeActions(
  message: ReturnType<typeof createComposeText>,
  enterSends: () => boolean,
) {
  const [notice, setNotice] = createSignal<Notice>();
  const forbidden = live(["channels", "groups", "organization", "users", "generation"], () => {
    const place = message.target();
    return place && whyNotPost(state.model, place);
  });
  return {
    /** What became of a message that is sent later. */
    notice,
    clearNotice: () => setNotice(undefined),
    /** Why the viewer can't write there. */
    forbidden,

    async openSend(anchor: Element): Promise<void> {
      setNotice(undefined);
      const { openSendMenu } = await loadWithTexts(() => import("./send-later.ts"));
      openSendMenu(anchor, {
        message,
        enterSends: enterSends(),
        onScheduled: (at) => setNotice({ text: t("schedule.done", { time: shortTime(at * 1000) }) }),
        onProblem: (text) => setNotice({ text, isProblem: true }),
      });
    },

    /** False: the place is not chosen yet. */
    goToPlace(): boolean {
      const place = message.target();
      const isOpen = place?.kind === "direct" ? place.userIds.length === 0 : !place?.channelId;
      if (place && !isOpen) go(linkTo(conversationNarrow(place)));
      return !isOpen;
    },
  };
}
