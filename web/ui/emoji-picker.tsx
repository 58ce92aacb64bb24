import { createMemo, createSignal, For, onMount, Show } from "solid-js";
import { Virtualizer } from "virtua/solid";
import { type Emoji, findEmoji } from "../../client/autocomplete/emoji.ts";
import { t } from "../i18n/t.ts";
import { emojiText } from "../shared/text/content.ts";
import { loadEmoji, noteEmoji, recentEmoji } from "../shared/text/emoji.ts";
import { createListbox, type Listbox } from "./listbox.ts";
import { keepFocus, Option } from "./options.tsx";
import { Popover } from "./popover.tsx";

const COLUMNS = 8;
const ROW_PX = 36;

/** All emoji, those used lately first. Typing searches them; the arrows go through them. */
export function EmojiPicker(props: { anchor: Element; onPick(emoji: Emoji): void; onClose(): void }) {
  const [all, setAll] = createSignal<readonly Emoji[]>([]);
  const [hasFailed, setFailed] = createSignal(false);
  const [text, setText] = createSignal("");
  const recent = recentEmoji();
  onMount(async () => {
    try {
      setAll(await loadEmoji());
    } catch {
      setFailed(true);
    }
  });
  const shown = createMemo(() =>
    text() === "" ? recentFirst(all(), recent) : findEmoji(all(), text(), recent),
  );
  const none = () => {
    if (hasFailed()) return t("emoji.failed");
    return all().length > 0 ? t("emoji.none") : "";
  };
  const pick = (emoji: Emoji) => {
    noteEmoji(emoji);
    props.onClose();
    props.onPick(emoji);
  };
  const list = createListbox({ items: shown, columns: COLUMNS, onChoose: pick });
  const nameOfActive = () => list.active() && `:${list.active()?.names[0]}:`;
  return (
    <Popover
      anchor={props.anchor}
      class="emoji-picker"
      role="dialog"
      label={t("emoji.title")}
      onClose={() => props.onClose()}
    >
      <input
        ref={list.attach}
        aria-label={t("emoji.search")}
        placeholder={t("emoji.search")}
        autocomplete="off"
        data-autofocus
        onInput={(event) => {
          setText(event.currentTarget.value);
          list.setAt(0);
        }}
        onKeyDown={list.handleKey}
      />
      <EmojiList list={list} />
      <p class="emoji-name" aria-hidden="true">
        {nameOfActive() ?? none()}
      </p>
    </Popover>
  );
}

/** Only those of thousands of emoji that are on the screen have elements, and the active one. */
function EmojiList(props: { list: Listbox<Emoji> }) {
  const { list } = props;
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  const rows = createMemo(() => {
    const found = list.items();
    return Array.from({ length: Math.ceil(found.length / COLUMNS) }, (_one, row) => ({
      start: row * COLUMNS,
      emoji: found.slice(row * COLUMNS, (row + 1) * COLUMNS),
    }));
  });
  return (
    <div
      id={list.id}
      class="emoji-list"
      role="listbox"
      aria-label={t("emoji.title")}
      ref={setScroller}
      onMouseDown={keepFocus}
    >
      <Virtualizer
        data={rows()}
        scrollRef={scroller()}
        itemSize={ROW_PX}
        keepMounted={[Math.floor(Math.max(0, list.at()) / COLUMNS)]}
      >
        {(row) => (
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
                  <Show when={emoji.picture} fallback={emojiText(emoji.code)}>
                    {(url) => <img src={url()} alt="" width="22" height="22" />}
                  </Show>
                </Option>
              )}
            </For>
          </div>
        )}
      </Virtualizer>
    </div>
  );
}

function recentFirst(all: readonly Emoji[], recent: readonly string[]): readonly Emoji[] {
  const byCode = new Map(all.map((emoji) => [emoji.code, emoji]));
  const first = recent.flatMap((code) => byCode.get(code) ?? []);
  return [...first, ...all.filter((emoji) => !first.includes(emoji))];
}
