import { aside } from "./aside.ts";
import { bindKeys } from "./keys.ts";

/** Keys that go through the rows of a view, from its first row on. `rows` selects their links. */
export function bindRowKeys(view: () => HTMLElement | undefined, rows: string): void {
  const move = (step: 1 | -1) => {
    const all = [...(view()?.querySelectorAll<HTMLElement>(rows) ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const wanted = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + step))];
    wanted?.focus();
    return wanted !== undefined;
  };
  bindKeys([
    { keys: ["j", "ArrowDown"], label: "key.nextRow", run: () => move(1) },
    { keys: ["k", "ArrowUp"], label: "key.previousRow", run: () => move(-1) },
  ]);
}

/** From a field above the rows. False: there is none. */
export function focusFirstRow(view: HTMLElement | undefined, rows: string): boolean {
  const first = view?.querySelector<HTMLElement>(rows);
  first?.focus();
  return first != null;
}

/** The arrows to the sides go through the links and buttons of a line. `lines` selects it. */
export function goAside(event: KeyboardEvent, lines: string): void {
  const step = aside(event.key);
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const target = event.target as Element;
  const line = target.closest(lines);
  const stops = [...(line?.querySelectorAll<HTMLElement>("a, button") ?? [])];
  stops[stops.indexOf(target as HTMLElement) + step]?.focus();
  if (line) event.preventDefault();
}
