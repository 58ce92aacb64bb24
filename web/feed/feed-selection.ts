/** The selected message of a feed, which keys move and act on. */
import type { Accessor } from "solid-js";
import type { Message } from "../../client/model/messages.ts";
import { canEditText } from "../../client/permissions.ts";
import { editMessage } from "../shared/compose/editing.ts";
import { state } from "../shared/state/state.ts";
import { selectedWords } from "./actions/selected-words.ts";
import type { createFeedView } from "./feed-view.ts";
import { contentOf } from "./rows/rows.ts";
import type { createFeedScroll } from "./scroll/feed-scroll.ts";

export interface Parts {
  view: ReturnType<typeof createFeedView>;
  scroll: ReturnType<typeof createFeedScroll>;
  selected: Accessor<string | undefined>;
  select(key: string): void;
  scroller: Accessor<HTMLElement | undefined>;
}

export function createSelection({ view, scroll, selected, select, scroller }: Parts) {
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
  /** The selected message or else the newest, if it has arrived. */
  const current = () => {
    const { rows } = view.list();
    const row = rows[indexOfSelected()] ?? rows.at(-1);
    return row && contentOf(row)?.message;
  };
  const onMessage = (run: (message: Message, row: Element) => void) => () => {
    const message = current();
    const key = message && (state.outbox.localIds.get(message.id) ?? String(message.id));
    const row = key === undefined ? null : rowElement(scroller(), key);
    if (!message || !row) return false;
    return run(message, row.querySelector(".message") ?? row);
  };

  /** The message in which words are marked, or else the selected one. */
  const onMarked = (run: (message: Message, words: string | undefined) => void) => () => {
    const words = selectedWords();
    const row = words && view.list().rows.find(({ key }) => key === words.key);
    const message = row && contentOf(row)?.message;
    const own = message ?? current();
    return own ? run(own, message && words?.text) : false;
  };

  /** The newest message here that the viewer may edit. */
  function editLast(): boolean {
    const { rows } = view.list();
    const row = rows.findLast(({ id }) => {
      const message = id === undefined ? undefined : state.model.messages.byId.get(id);
      return message !== undefined && canEditText(state.model, message);
    });
    if (row?.id === undefined) return false;
    scroll.show(rows.indexOf(row));
    editMessage(row.id);
    return true;
  }

  return { move, current, onMessage, onMarked, editLast };
}

function focusRow(scroller: HTMLElement | undefined, key: string): void {
  rowElement(scroller, key)?.focus({ preventScroll: true });
}

function rowElement(scroller: HTMLElement | undefined, key: string): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}
