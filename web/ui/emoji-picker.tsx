import { createMemo, createSignal, For, onMount, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { type Emoji, findEmoji } from "../../client/autocomplete/emoji.ts";
import { t } from "../i18n/t.ts";
import { emojiText } from "../shared/text/content.ts";
import { loadEmoji, noteEmoji, recentEmoji } from "../shared/text/emoji.ts";
import { isComposing } from "./is-composing.ts";
import { Popover } from "./popover.tsx";

const COLUMNS = 8;
const ROW_PX = 36;

/** All emoji, those used lately first. Typing searches them; the arrows go through them. */
export function EmojiPicker(props: { anchor: Element; onPick(emoji: Emoji): void; onClose(): void }) {
  const [all, setAll] = createSignal<readonly Emoji[]>([]);
  const [hasFailed, setFailed] = createSignal(false);
  const [text, setText] = createSignal("");
  const [at, setAt] = createSignal(0);
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  const [list, setList] = createSignal<VirtualizerHandle>();
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
  const rows = createMemo(() => {
    const found = shown();
    return Array.from({ length: Math.ceil(found.length / COLUMNS) }, (_one, row) => ({
      start: row * COLUMNS,
      emoji: found.slice(row * COLUMNS, (row + 1) * COLUMNS),
    }));
  });

  const none = () => {
    if (hasFailed()) return t("emoji.failed");
    return all().length > 0 ? t("emoji.none") : "";
  };

  function pick(emoji: Emoji | undefined): void {
    if (!emoji) return;
    noteEmoji(emoji);
    props.onClose();
    props.onPick(emoji);
  }

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
    if (isComposing(event)) return;
    const isCaretAtEnd = event.currentTarget.selectionStart === text().length;
    const step = { ArrowDown: COLUMNS, ArrowUp: -COLUMNS, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Enter") pick(shown()[at()]);
    else if (step === undefined || (step === 1 && !isCaretAtEnd) || (step === -1 && at() === 0)) return;
    else {
      setAt(Math.max(0, Math.min(shown().length - 1, at() + step)));
      list()?.scrollToIndex(Math.floor(at() / COLUMNS), { align: "nearest" });
    }
    event.preventDefault();
  }

  return (
    <Popover
      anchor={props.anchor}
      class="emoji-picker"
      role="dialog"
      label={t("emoji.title")}
      onClose={() => props.onClose()}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="emoji-list"
        aria-activedescendant={shown().length > 0 ? `emoji-${at()}` : undefined}
        aria-label={t("emoji.search")}
        placeholder={t("emoji.search")}
        autocomplete="off"
        data-autofocus
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {/* The field has the focus; the list follows it. */}
      <div id="emoji-list" class="emoji-list" role="listbox" aria-label={t("emoji.title")} ref={setScroller}>
        <Virtualizer ref={setList} data={rows()} scrollRef={scroller()} itemSize={ROW_PX}>
          {(row) => (
            <div class="emoji-row" role="presentation">
              <For each={row.emoji}>
                {(emoji, column) => (
                  // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
                  <div
                    id={`emoji-${row.start + column()}`}
                    role="option"
                    aria-selected={row.start + column() === at()}
                    aria-label={wordsOf(emoji)}
                    title={`:${emoji.names[0]}:`}
                    onClick={() => pick(emoji)}
                  >
                    <Show when={emoji.picture} fallback={emojiText(emoji.code)}>
                      {(url) => <img src={url()} alt="" width="22" height="22" />}
                    </Show>
                  </div>
                )}
              </For>
            </div>
          )}
        </Virtualizer>
      </div>
      <p class="emoji-name" aria-hidden="true">
        <Show when={shown()[at()]} fallback={none()}>
          {(emoji) => `:${emoji().names[0]}:`}
        </Show>
      </p>
    </Popover>
  );
}

function wordsOf({ names }: Emoji): string {
  return (names[0] ?? "").replace(/_/g, " ");
}

function recentFirst(all: readonly Emoji[], recent: readonly string[]): readonly Emoji[] {
  const byCode = new Map(all.map((emoji) => [emoji.code, emoji]));
  const first = recent.flatMap((code) => byCode.get(code) ?? []);
  return [...first, ...all.filter((emoji) => !first.includes(emoji))];
}
