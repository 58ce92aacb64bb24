import { createSignal, For, Show } from "solid-js";
import { addAlertWords, removeAlertWords } from "../../api/attention/alert-words.ts";
import { MAX_ALERT_WORD_LENGTH } from "../../api/limits.ts";
import { language, t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { TextField } from "../ui/fields.tsx";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { createSaving } from "../ui/saving.tsx";

/** Words that count as mentions. */
export function AlertWords() {
  const saving = createSaving();
  const [text, setText] = createSignal("");
  const words = live(["alertWords", "generation"], () =>
    [...state.model.alertWords.words].sort((a, b) => a.localeCompare(b, language())),
  );
  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const word = text().trim();
    if (word === "") return;
    const parameters = { alert_words: [word] };
    const isSaved = await saving.run(() =>
      state.track(() => state.connection.call(addAlertWords, parameters)),
    );
    if (isSaved && text().trim() === word) setText("");
  }
  const remove = (word: string) =>
    void saving.run(() =>
      state.track(() => state.connection.call(removeAlertWords, { alert_words: [word] })),
    );
  return (
    <>
      <p class="hint">{t("own.words.hint")}</p>
      <Show when={words().length > 0}>
        <ul class="chips" aria-label={t("own.notify.words")}>
          <For each={words()}>
            {(word) => (
              <li class="chip">
                <bdi>{word}</bdi>
                <button
                  type="button"
                  aria-label={t("own.words.remove", { word })}
                  onClick={() => remove(word)}
                >
                  <Icon name="close" />
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <form class="text-form" onSubmit={(event) => void add(event)}>
        <TextField
          label={t("own.words.new")}
          value={text()}
          maxLength={MAX_ALERT_WORD_LENGTH}
          problem={saving.problem()}
          onInput={setText}
        />
        <button type="submit" class="button" disabled={text().trim() === ""}>
          {t("own.words.add")}
        </button>
      </form>
    </>
  );
}
