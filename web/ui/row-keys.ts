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
