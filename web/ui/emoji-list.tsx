import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import type { Emoji } from "../../client/autocomplete/emoji.ts";
import { t } from "../i18n/t.ts";
import { emojiText } from "../shared/text/content.ts";
import { categoryLabel, type EmojiRow, rowOf } from "./emoji-sections.ts";
import { Icon } from "./icon.tsx";
import type { Listbox } from "./listbox.ts";
import { keepFocus, Option } from "./options.tsx";

const ROW_PX = 36;

/** What stands for a category; those without a sign have an icon. */
const signs: Readonly<Record<string, string>> = {
  ...{ smileys: "1f600", people: "1f44b", nature: "1f43b", food: "1f354", places: "1f697" },
  ...{ activities: "26bd", objects: "1f4a1", symbols: "2764", flags: "1f3c1" },
};

interface ListProps {
  list: Listbox<Emoji>;
  rows: readonly EmojiRow[];
  categories: readonly string[];
  codeOf(emoji: Emoji): string;
  /** Ends the search. */
  onAll(): void;
}

/** Only those of thousands of emoji that are on the screen have elements, and the active one. */
export function EmojiList(props: ListProps) {
  const { list } = props;
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  const [top, setTop] = createSignal(0);
  let handle: VirtualizerHandle | undefined;
  const activeRow = createMemo(() => Math.max(0, rowOf(props.rows, list.at())));
  /** The one at the top of the list; none while a search has no headings. */
  const current = () =>
    props.rows.slice(0, top() + 1).findLast(({ heading }) => heading !== undefined)?.heading;
  // What is found is shown from its beginning.
  createEffect(
    on(
      () => props.rows,
      () => scroller()?.scrollTo({ top: 0 }),
      { defer: true },
    ),
  );

  function goTo(category: string): void {
    props.onAll();
    const row = props.rows.findIndex(({ heading }) => heading === category);
    if (row < 0) return;
    list.setAt(props.rows[row]?.start ?? 0);
    // The rows of all emoji are there after the search has ended.
    requestAnimationFrame(() => handle?.scrollToIndex(row, { align: "start" }));
  }

  return (
    <>
      <Categories all={props.categories} current={current()} onChoose={goTo} />
      <div
        id={list.id}
        class="emoji-list"
        role="listbox"
        aria-label={t("emoji.title")}
        ref={setScroller}
        onMouseDown={keepFocus}
        onScroll={(event) => setTop(handle?.findItemIndex(event.currentTarget.scrollTop + 1) ?? 0)}
      >
        <Virtualizer
          ref={(one) => {
            handle = one;
          }}
          data={props.rows}
          scrollRef={scroller()}
          itemSize={ROW_PX}
          keepMounted={[activeRow()]}
        >
          {(row) => (
            <Show
              when={row.heading === undefined}
              fallback={
                <div class="emoji-heading" role="presentation">
                  <span aria-hidden="true">{t(categoryLabel(row.heading ?? ""))}</span>
                </div>
              }
            >
              <div class="emoji-row" role="presentation">
                <For each={row.emoji}>
                  {(emoji, column) => (
                    <Option
                      list={list}
                      at={row.start + column()}
                      label={(emoji.names[0] ?? "").replace(/_/g, " ")}
                      title={`:${emoji.names[0]}:`}
                      isOneOfMany
                    >
                      <Show when={emoji.picture} fallback={emojiText(props.codeOf(emoji))}>
                        {(url) => <img src={url()} alt="" width="22" height="22" />}
                      </Show>
                    </Option>
                  )}
                </For>
              </div>
            </Show>
          )}
        </Virtualizer>
      </div>
    </>
  );
}

interface CategoriesProps {
  all: readonly string[];
  current: string | undefined;
  onChoose(category: string): void;
}

/** One stop of the Tab key. The arrows to the sides go through the categories. */
function Categories(props: CategoriesProps) {
  const stop = () => props.current ?? props.all[0];
  const goBeside = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const isForward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const to = isForward === "ArrowRight" ? by : -by;
    const buttons = [...event.currentTarget.children] as HTMLElement[];
    buttons.at((buttons.indexOf(event.target as HTMLElement) + to) % buttons.length)?.focus();
    event.preventDefault();
  };
  return (
    <div
      class="emoji-categories"
      role="toolbar"
      aria-label={t("emoji.categories")}
      tabindex={-1}
      onMouseDown={keepFocus}
      onKeyDown={goBeside}
    >
      <For each={props.all}>
        {(category) => (
          <button
            type="button"
            aria-label={t(categoryLabel(category))}
            title={t(categoryLabel(category))}
            aria-pressed={props.current === category}
            tabindex={stop() === category ? 0 : -1}
            onClick={() => props.onChoose(category)}
          >
            <Show
              when={signs[category]}
              fallback={<Icon name={category === "recent" ? "history" : "building"} />}
            >
              {(code) => <span class="emoji">{emojiText(code())}</span>}
            </Show>
          </button>
        )}
      </For>
    </div>
  );
}
