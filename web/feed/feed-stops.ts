/**
 * The feed is one stop of the Tab key: the selected message, which the arrows change. Tab then goes through
 * what is in that message, and leaves the feed after it.
 */
import { onCleanup } from "solid-js";

/** What the Tab key would stop at. */
const CONTROLS = "a[href], button, input, select, textarea, audio, video, [tabindex='0']";
/** Marks what was taken out, with what it had before. */
const MARK = "tabBefore";

/** Rows come and go, and so do their contents, so this is done again after each change. */
export function keepOneStop(feed: HTMLElement): void {
  const run = () => {
    let hasStop = false;
    for (const row of feed.querySelectorAll<HTMLElement>("article.row")) {
      const isStop = row.tabIndex === 0;
      hasStop ||= isStop;
      if (isStop) giveBack(row);
      else takeOut(row);
    }
    // While the selected message is far away, the feed itself has the stop.
    if (feed.tabIndex !== (hasStop ? -1 : 0)) feed.tabIndex = hasStop ? -1 : 0;
  };
  const observer = new MutationObserver(run);
  observer.observe(feed, { childList: true, subtree: true, attributeFilter: ["tabindex", "href"] });
  run();
  onCleanup(() => observer.disconnect());
}

function takeOut(row: HTMLElement): void {
  for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (control.tabIndex < 0 || control.contains(document.activeElement)) continue;
    control.dataset[MARK] = control.getAttribute("tabindex") ?? "";
    control.tabIndex = -1;
  }
}

function giveBack(row: HTMLElement): void {
  for (const control of row.querySelectorAll<HTMLElement>("[data-tab-before]")) {
    const before = control.dataset[MARK];
    if (before) control.setAttribute("tabindex", before);
    else control.removeAttribute("tabindex");
    delete control.dataset[MARK];
  }
}
