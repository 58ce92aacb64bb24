/** What the message box does besides sending: sending later, going to its place, and knowing where it may. */
import { createSignal } from "solid-js";
import { conversationNarrow } from "../../client/narrow.ts";
import { whyNotPost } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { linkTo } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { shortTime } from "../shared/text/times.ts";
import { live } from "../ui/live.ts";
import { withPart } from "../ui/notice.ts";
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
    enterSends,
    /** What became of a message that is sent later. */
    notice,
    clearNotice: () => setNotice(undefined),
    /** Why the viewer can't write there. */
    forbidden,

    setEnterSends: (enterSends: boolean) =>
      void withPart(
        () => import("./send-later.ts"),
        (part) => void part.setEnterSends(enterSends),
      ),

    openSend(anchor: Element): Promise<void> {
      setNotice(undefined);
      const parts = {
        message,
        enterSends: enterSends(),
        onScheduled: (at: number) => setNotice({ text: t("schedule.done", { time: shortTime(at * 1000) }) }),
        onProblem: (text: string) => setNotice({ text, isProblem: true }),
      };
      return withPart(
        () => import("./send-later.ts"),
        ({ openSendMenu }) => openSendMenu(anchor, parts),
      );
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
