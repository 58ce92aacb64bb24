import { createSignal, For, Show } from "solid-js";
import { MAX_STATUS_TEXT_LENGTH } from "../../../api/limits.ts";
import { updateOwnStatus } from "../../../api/profiles/user-status.ts";
import type { Emoji } from "../../../client/autocomplete/emoji.ts";
import { CallError } from "../../../client/call-error.ts";
import type { ReactionType } from "../../../client/model/messages.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmojiPicker } from "../../ui/emoji-picker.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/problem.tsx";
import { state } from "../state/state.ts";
import { EmojiSign } from "./status-emoji.tsx";

interface ChosenEmoji {
  name: string;
  code: string;
  type: ReactionType;
}

const suggestions: readonly { text: TextKey; emoji: ChosenEmoji }[] = [
  { text: "status.meeting", emoji: { name: "calendar", code: "1f4c5", type: "unicode_emoji" } },
  { text: "status.commuting", emoji: { name: "bus", code: "1f68c", type: "unicode_emoji" } },
  { text: "status.sick", emoji: { name: "hurt", code: "1f915", type: "unicode_emoji" } },
  { text: "status.vacation", emoji: { name: "palm_tree", code: "1f334", type: "unicode_emoji" } },
  { text: "status.remote", emoji: { name: "house", code: "1f3e0", type: "unicode_emoji" } },
  { text: "status.office", emoji: { name: "office", code: "1f3e2", type: "unicode_emoji" } },
];

/** Sets and clears the viewer's status: an emoji, and a few words. */
export function StatusDialog(props: { onClose(): void }) {
  const old = state.model.userStatuses.of(state.model.viewer.id);
  const [text, setText] = createSignal(old?.text ?? "");
  const [emoji, setEmoji] = createSignal<ChosenEmoji | undefined>(old?.emoji);
  const [picksAt, setPicksAt] = createSignal<Element>();
  const [problem, setProblem] = createSignal<string>();
  const save = async (words: string, sign: ChosenEmoji | undefined) => {
    setProblem(undefined);
    const parameters = {
      status_text: words.trim(),
      emoji_name: sign?.name ?? "",
      ...(sign && { emoji_code: sign.code, reaction_type: sign.type }),
    };
    try {
      await state.track(() => state.connection.call(updateOwnStatus, parameters));
      props.onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    }
  };
  const pick = ({ names, code, type }: Emoji) => setEmoji({ name: names[0] ?? "", code, type });
  return (
    <Dialog label={t("status.title")} class="form-dialog status-dialog" onClose={() => props.onClose()}>
      <h2>{t("status.title")}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(text(), emoji());
        }}
      >
        <div class="status-field">
          <button
            type="button"
            class="square"
            aria-label={emoji() ? `${t("status.pick")}: ${emoji()?.name}` : t("status.pick")}
            aria-haspopup="dialog"
            onClick={(event) => setPicksAt(event.currentTarget)}
          >
            <Show when={emoji()} fallback={<Icon name="smile" />}>
              {(one) => <EmojiSign code={one().code} type={one().type} />}
            </Show>
          </button>
          <input
            autofocus
            aria-label={t("status.text")}
            placeholder={t("status.text")}
            data-max={MAX_STATUS_TEXT_LENGTH}
            autocomplete="off"
            dir="auto"
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <Show when={emoji()}>
            <button
              type="button"
              class="square"
              aria-label={t("status.removeEmoji")}
              onClick={() => setEmoji(undefined)}
            >
              <Icon name="close" />
            </button>
          </Show>
        </div>
        <ul class="status-suggestions" aria-label={t("status.suggestions")}>
          <For each={suggestions}>
            {(suggestion) => (
              <li>
                <button
                  type="button"
                  onClick={() => {
                    setText(t(suggestion.text));
                    setEmoji(suggestion.emoji);
                  }}
                >
                  <EmojiSign code={suggestion.emoji.code} type="unicode_emoji" /> {t(suggestion.text)}
                </button>
              </li>
            )}
          </For>
        </ul>
        <Problem text={problem()} />
        <p class="buttons">
          <Show when={old}>
            <button type="button" class="button" onClick={() => void save("", undefined)}>
              {t("status.clear")}
            </button>
          </Show>
          <button type="submit" class="button primary">
            {t("status.save")}
          </button>
        </p>
      </form>
      <Show when={picksAt()}>
        {(anchor) => <EmojiPicker anchor={anchor()} onPick={pick} onClose={() => setPicksAt(undefined)} />}
      </Show>
    </Dialog>
  );
}
