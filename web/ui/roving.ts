/**
 * One stop of the Tab key for a whole list. The arrows go through its rows; the one that had the focus last
 * is the stop. Rows come and go, so the stop is looked for again after each change.
 */
import { onCleanup } from "solid-js";

/**
 * `rows` selects the links and buttons that the arrows go to. The button beside one, marked by `data-beside`,
 * is one arrow to the side.
 */
export function roving(list: HTMLElement, rows: string): void {
  const all = () => [...list.querySelectorAll<HTMLElement>(rows)];

  function stopAt(wanted: HTMLElement | undefined): void {
    for (const row of all()) row.tabIndex = row === wanted ? 0 : -1;
  }

  function keepStop(): void {
    const some = all();
    const kept = some.find((row) => row.tabIndex === 0 && row.dataset.stop === "");
    stopAt(kept ?? some.find((row) => row.ariaCurrent === "page") ?? some[0]);
  }

  function onFocusIn(event: FocusEvent): void {
    const row = (event.target as Element).closest<HTMLElement>(rows);
    if (!row) return;
    for (const element of all()) delete element.dataset.stop;
    row.dataset.stop = "";
    stopAt(row);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target as Element;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") goBeside(event, target);
    const from = target.closest<HTMLElement>(rows);
    if (!from) return;
    const some = all();
    const at = some.indexOf(from);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: some.length - 1 }[event.key];
    if (to === undefined) return;
    some[Math.max(0, Math.min(some.length - 1, to))]?.focus();
    event.preventDefault();
  }

  function goBeside(event: KeyboardEvent, target: Element): void {
    const wanted = target.closest("[data-beside]") ? rows : "[data-beside]";
    const found = target.closest("li")?.querySelector<HTMLElement>(wanted);
    if (!found || target.closest("input")) return;
    found.focus();
    event.preventDefault();
  }

  list.addEventListener("focusin", onFocusIn);
  list.addEventListener("keydown", onKeyDown);
  const observer = new MutationObserver(keepStop);
  observer.observe(list, { childList: true, subtree: true });
  keepStop();
  onCleanup(() => observer.disconnect());
}
