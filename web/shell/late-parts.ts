import { getOwner, onCleanup, runWithOwner } from "solid-js";
import { writing } from "../compose/writing.ts";
import { loadWidgets } from "../feed/widgets/late-widget.tsx";
import { latePart } from "../i18n/lazy-part.ts";
import { whenIdle } from "../shared/page/when-idle.ts";
import { loadSearchLanguage } from "../shared/search/search-language.ts";
import { whenBack } from "../shared/state/when-back.ts";

export const switcher = latePart(async () => ({ Part: (await import("./switcher.tsx")).Switcher }));
// Without a network it could not be fetched.
const outboxSign = latePart(() => import("../shared/outbox/outbox-sign.tsx"));
const background = latePart(() => import("../shared/page/background.ts"));

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
    const others = [switcher.need, outboxSign.need, writing.need, loadWidgets, loadSearchLanguage];
    await Promise.all(others.map((need) => need()));
  }
  whenIdle(() => void load());
  whenBack(() => void load());
}
