/** The keys of a feed: to go through its messages, and to answer the selected one. */
import type { Accessor } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import { composeTo, focusCompose } from "../app/compose-target.ts";
import { state } from "../app/state.ts";
import { bindKeys } from "../ui/keys.ts";
import type { createFeedScroll } from "./feed-scroll.ts";
import type { createFeedView } from "./feed-view.ts";
import { contentOf } from "./rows.ts";

interface Parts {
  view: ReturnType<typeof createFeedView>;
  scroll: ReturnType<typeof createFeedScroll>;
  selected: Accessor<string | undefined>;
  select(key: string): void;
  scroller: Accessor<HTMLElement | undefined>;
}

export function bindFeedKeys({ view, scroll, selected, select, scroller }: Parts): void {
  const indexOfSelected = () => view.list().rows.findIndex(({ key }) => key === selected());
  const move = (step: 1 | -1) => {
    const { rows } = view.list();
    const from = indexOfSelected();
    const to = from < 0 ? scroll.firstVisible() : Math.max(0, Math.min(rows.length - 1, from + step));
    const key = rows[to]?.key;
    if (key === undefined) return;
    select(key);
    scroll.show(to);
    // A row that was not on the screen gets its element first.
    requestAnimationFrame(() => focusRow(scroller(), key));
  };
  const reply = () => {
    const { rows } = view.list();
    const row = rows[indexOfSelected()] ?? rows.at(-1);
    const content = row && contentOf(row);
    if (content) composeTo(replyAddress(content.to));
    focusCompose();
  };
  bindKeys([
    { keys: ["j", "ArrowDown"], label: "key.next", run: () => move(1) },
    { keys: ["k", "ArrowUp"], label: "key.previous", run: () => move(-1) },
    { keys: ["End", "Shift+G"], label: "key.newest", run: () => void scroll.toNewest() },
    {
      keys: ["r", "Enter"],
      label: "key.reply",
      run: (event) => (isControl(event.target) ? false : reply()),
    },
  ]);
}

/** Enter on a link or a button is theirs. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a, button") !== null;
}

function replyAddress(to: NonNullable<ReturnType<typeof contentOf>>["to"]): Conversation {
  if (to.kind === "channel") return to;
  const others = to.userIds.filter((id) => id !== state.model.viewer.id);
  return { kind: "direct", userIds: others.length > 0 ? others : to.userIds };
}

function focusRow(scroller: HTMLElement | undefined, key: string): void {
  scroller?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
