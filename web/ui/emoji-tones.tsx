import { createSignal, For, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { emojiText } from "../shared/text/content.ts";
import { chooseTone, type Tone, tone, tones } from "../shared/text/emoji-tone.ts";
import { keepFocus } from "./options.tsx";

const HAND = "270b";

/** The skin tone of all emoji that have one. It is chosen once, and this browser keeps it. */
export function EmojiTones() {
  const [isOpen, setOpen] = createSignal(false);
  const choose = (wanted: Tone) => {
    chooseTone(wanted);
    setOpen(false);
    opener?.focus();
  };
  let opener: HTMLButtonElement | undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class="emoji-tones" role="group" aria-label={t("emoji.tone")} onMouseDown={keepFocus}>
      <Show when={isOpen()}>
        <For each={tones}>
          {(one) => (
            <button
              type="button"
              class="emoji"
              aria-label={toneName(one)}
              title={toneName(one)}
              aria-pressed={one === tone()}
              onClick={() => choose(one)}
            >
              {signOf(one)}
            </button>
          )}
        </For>
      </Show>
      <button
        ref={opener}
        type="button"
        class="emoji"
        hidden={isOpen()}
        aria-label={`${t("emoji.tone")}: ${toneName(tone())}`}
        title={t("emoji.tone")}
        aria-expanded={isOpen()}
        onClick={() => setOpen(true)}
      >
        {signOf(tone())}
      </button>
    </div>
  );
}

const signOf = (one: Tone) => emojiText(one === "" ? HAND : `${HAND}-${one}`);

const toneName = (one: Tone) => t(`emoji.tone.${tones.indexOf(one)}` as TextKey);
