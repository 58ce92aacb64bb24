/** Menus and questions for every region; what draws them is fetched when it is first needed. */
import { lazyPart } from "../i18n/lazy-part.ts";
import type { MenuItem } from "./menu.tsx";
import { openOverlay } from "./overlay.ts";

const Menu = lazyPart(async () => (await import("./menu.tsx")).Menu);
const Confirm = lazyPart(async () => (await import("./confirm.tsx")).Confirm);

export function openMenu(label: string, anchor: Element, items: readonly MenuItem[]): void {
  if (items.length === 0) return;
  openOverlay((close) => <Menu label={label} anchor={anchor} items={items} onClose={close} />);
}

/** `run` gives the problem, if there is one. */
export function askFirst(question: {
  title: string;
  text: string;
  action: string;
  run(): Promise<string | undefined>;
}): void {
  openOverlay((close) => <Confirm {...question} onClose={close} />);
}
