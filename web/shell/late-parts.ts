import { getOwner, onCleanup, runWithOwner } from "solid-js";
import { writing } from "../compose/writing.ts";
import { loadWidgets } from "../feed/widgets/late-widget.tsx";
import { latePart } from "../i18n/lazy-part.ts";
import { isPhone } from "../shared/page/screen.ts";
import { whenIdle } from "../shared/page/when-idle.ts";
import { route } from "../shared/routing/route.ts";
import { loadSearchLanguage } from "../shared/search/search-language.ts";
import { whenBack } from "../shared/state/when-back.ts";

export const switcher = latePart(async () => ({ Part: (await import("./switcher.tsx")).Switcher }));
export const bannerLines = latePart(async () => ({ Part: (await import("./banner-lines.tsx")).BannerLines }));
// Without a network it could not be fetched.
const outboxSign = latePart(() => import("../shared/outbox/outbox-sign.tsx"));
export const inbox = latePart(async () => ({ Part: (await import("../inbox/inbox.tsx")).Inbox }));
const background = latePart(() => import("../shared/page/background.ts"));

/** Resolves when the view of the address has been fetched, or could not be, if it is no part of the page. */
export async function fetchFirstView(): Promise<void> {
  const { view } = route();
  if (view === "inbox" || (view === "home" && !isPhone())) await inbox.need();
}

/**
 * Fetches what the first screen does without: what a press or a key may want next, and what goes on beside
 * the screen. What could not be fetched is asked for again when the server answers.
 */
export function loadLateParts(): void {
  const owner = getOwner();
  let isRunning = false;
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  async function load(): Promise<void> {
    const part = await background.need();
    if (part && !isRunning && !isGone) {
      isRunning = true;
      runWithOwner(owner, part.runInBackground);
    }
    const others = [
      inbox.need,
      switcher.need,
      outboxSign.need,
      writing.need,
      loadWidgets,
      loadSearchLanguage,
    ];
    await Promise.all(others.map((need) => need()));
  }
  whenIdle(() => void load());
  whenBack(() => void load());
}
