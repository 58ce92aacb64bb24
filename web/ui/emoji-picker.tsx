import { createMemo, createSignal, onMount } from "solid-js";
import type { Emoji } from "../../client/autocomplete/emoji.ts";
import { t } from "../i18n/t.ts";
import { emojiText } from "../shared/text/content.ts";
import { loadEmoji, noteEmoji, recentEmoji } from "../shared/text/emoji.ts";
import { tone, withTone } from "../shared/text/emoji-tone.ts";
import { EmojiList } from "./emoji-list.tsx";
import { beside, emojiRows, emojiSections } from "./emoji-sections.ts";
import { EmojiTones } from "./emoji-tones.tsx";
import { createListbox } from "./listbox.ts";
import { Popover } from "./popover.tsx";

const COLUMNS = 8;

interface PickerProps {
  anchor: Element;
  /** `text` is how the emoji is written. */
  onPick(emoji: Emoji, text: string): void;
  onClose(): void;
  /** Whether it is for a text, where emoji can have a skin tone. */
  isForText?: boolean;
}

/** All emoji, those used lately first. Typing searches them; the arrows go through them. */
export function EmojiPicker(props: PickerProps) {
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
  const sections = createMemo(() => emojiSections(all(), text(), recent));
  const rows = createMemo(() => emojiRows(sections(), COLUMNS));
  const none = () => {
    if (hasFailed()) return t("emoji.failed");
    return all().length > 0 ? t("emoji.none") : "";
  };
  const codeOf = (emoji: Emoji) => (props.isForText ? withTone(emoji, tone()) : emoji.code);
  const pick = (emoji: Emoji) => {
    const code = codeOf(emoji);
    noteEmoji(emoji);
    props.onClose();
    props.onPick(emoji, code === emoji.code ? `:${emoji.names[0]}:` : emojiText(code));
  };
  const list = createListbox({
    items: createMemo(() => sections().flatMap(({ emoji }) => emoji)),
    columns: COLUMNS,
    beside: (at, by) => beside(rows(), at, by),
    onChoose: pick,
  });
  const nameOfActive = () => {
    const active = list.active();
    return active && `:${active.names[0]}:`;
  };
  const find = (wanted: string) => {
    setText(wanted);
    list.setAt(0);
  };
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
        value={text()}
        onInput={(event) => find(event.currentTarget.value)}
        onKeyDown={list.handleKey}
      />
      <EmojiList
        list={list}
        rows={rows()}
        categories={[...new Set(["recent", ...all().map(({ category }) => category)])]}
        codeOf={codeOf}
        onAll={() => find("")}
      />
      <div class="emoji-foot">
        <p class="emoji-name" aria-hidden="true">
          {nameOfActive() ?? none()}
        </p>
        {props.isForText && <EmojiTones />}
      </div>
    </Popover>
  );
}
