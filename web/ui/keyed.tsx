/**
 * A list whose items are replaced by each change. Its elements belong to the keys: an item that is still
 * there keeps them, and with them the focus, a press that is under way and what is selected.
 */
import { type Accessor, createComputed, createMemo, For, type JSX, on } from "solid-js";
import { isSameList } from "./same-list.ts";

type Key = string | number;

interface KeyedProps<T> {
  each: readonly T[];
  by(item: T): Key;
  children(item: Accessor<T>): JSX.Element;
}

export function Keyed<T>(props: KeyedProps<T>) {
  const items = createMemo(() => new Map(props.each.map((item) => [props.by(item), item])));
  const keys = createMemo(() => [...items().keys()], undefined, { equals: isSameList });
  createComputed(on(keys, keepFocus, { defer: true }));
  return (
    <For each={keys()}>
      {(key) => {
        // An item that has gone may be read once more, before its elements are gone too.
        const item = createMemo<T>(
          (last) => (items().has(key) ? (items().get(key) as T) : last),
          undefined!,
          {
            equals: (a, b) => a === b && (typeof a !== "object" || a === null),
          },
        );
        return props.children(item);
      }}
    </For>
  );
}

/** An element that changes its place loses the focus, since browsers take it out and put it back. */
export function keepFocus(): void {
  const before = document.activeElement;
  if (!(before instanceof HTMLElement) || before === document.body) return;
  queueMicrotask(() => {
    if (before.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
  });
}
