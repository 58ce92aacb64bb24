import { createComputed, createMemo, createSignal, For, type JSX, on, Show } from "solid-js";
import { VList } from "virtua/solid";
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";
import { keepFocus } from "./keyed.tsx";

interface ListProps<T> {
  /** What is in the list, for screen readers. */
  label: string;
  items: readonly T[];
  /** By which the filter finds an item. */
  textOf(item: T): string;
  draw(item: T): JSX.Element;
  /** The height of the whole list on the screen, in pixels. */
  height?: number;
  /** Instead of the list while there is nothing at all. */
  empty?: string;
}

/** The elements of so many rows cost little. */
const FEW = 12;

/**
 * A list with a filter above. Only the rows of a long list that are near the screen have elements. A short
 * one is as high as its rows, whose texts may wrap.
 */
export function FilteredList<T>(props: ListProps<T>) {
  const [text, setText] = createSignal("");
  const found = createMemo(() => {
    const wanted = fold(text().trim());
    return wanted === ""
      ? props.items
      : props.items.filter((item) => fold(props.textOf(item)).includes(wanted));
  });
  createComputed(on(found, keepFocus, { defer: true }));
  let list: HTMLDivElement | undefined;
  let field: HTMLInputElement | undefined;
  const [left, noteLeft] = createSignal({});
  // The two kinds of lists have different elements, so a row with the focus would lose it.
  const isLong = createMemo((before) => {
    left();
    const focused = document.activeElement;
    const isInRow = focused !== field && list?.contains(focused) === true;
    return isInRow ? before : found().length > FEW;
  }, false);
  return (
    <div class="filtered-list" ref={list} onFocusOut={() => queueMicrotask(() => noteLeft({}))}>
      <input
        ref={field}
        type="search"
        aria-label={`${t("list.filter")}: ${props.label}`}
        placeholder={t("list.filter")}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Show
        when={found().length > 0}
        fallback={<p class="nothing">{text() === "" ? (props.empty ?? t("list.none")) : t("list.none")}</p>}
      >
        <Show
          when={isLong()}
          fallback={
            <ul aria-label={props.label}>
              <For each={found()}>{(item) => <li class="list-row">{props.draw(item)}</li>}</For>
            </ul>
          }
        >
          <VList
            data={found()}
            role="list"
            aria-label={props.label}
            tabindex={0}
            style={{ height: `${Math.min(props.height ?? 420, found().length * 48 + 2)}px` }}
          >
            {(item) => (
              // biome-ignore lint/a11y/useSemanticElements: the list has elements of its own in between.
              <div role="listitem" class="list-row">
                {props.draw(item)}
              </div>
            )}
          </VList>
        </Show>
      </Show>
    </div>
  );
}
