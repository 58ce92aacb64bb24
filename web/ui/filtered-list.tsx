import { createMemo, createSignal, type JSX, Show } from "solid-js";
import { VList } from "virtua/solid";
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";

interface ListProps<T> {
  /** What is in the list, for screen readers. */
  label: string;
  items: readonly T[];
  /** By which the filter finds an item. */
  textOf(item: T): string;
  draw(item: T): JSX.Element;
  /** Of the whole list on the screen, in pixels. */
  height?: number;
  /** Instead of the list while there is nothing at all. */
  empty?: string;
}

/** A long list with a filter above. Rows near the screen have elements. */
export function FilteredList<T>(props: ListProps<T>) {
  const [text, setText] = createSignal("");
  const found = createMemo(() => {
    const wanted = fold(text().trim());
    return wanted === ""
      ? props.items
      : props.items.filter((item) => fold(props.textOf(item)).includes(wanted));
  });
  return (
    <div class="filtered-list">
      <input
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
    </div>
  );
}
