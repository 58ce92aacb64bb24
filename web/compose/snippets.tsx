import { createSignal, For, Show } from "solid-js";
import { deleteSavedSnippet } from "../../api/personal/saved-snippets.ts";
import { fold } from "../../client/autocomplete/fold.ts";
import type { SavedSnippet } from "../../client/model/saved-snippets.ts";
import { language, t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { isComposing } from "../ui/is-composing.ts";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { SnippetForm } from "./snippet-form.tsx";

interface SnippetsProps {
  /** What is being written, which a new snippet begins with. */
  text: string;
  onChoose(text: string): void;
  onClose(): void;
}

/** Texts that are kept to be used again. One is chosen, made, changed or deleted here. */
export function Snippets(props: SnippetsProps) {
  const [filter, setFilter] = createSignal("");
  const [edited, setEdited] = createSignal<SavedSnippet | "new">();
  const [problem, setProblem] = createSignal<string>();
  const all = live(["savedSnippets", "generation"], () =>
    [...state.model.savedSnippets.byId.values()].sort((a, b) => a.title.localeCompare(b.title, language())),
  );
  const shown = () => {
    const wanted = fold(filter());
    return all().filter(({ title, content }) => fold(`${title} ${content}`).includes(wanted));
  };
  const choose = ({ content }: SavedSnippet) => {
    props.onClose();
    props.onChoose(content);
  };
  const remove = async ({ id }: SavedSnippet) =>
    setProblem(await problemOf(() => state.connection.call(deleteSavedSnippet, { saved_snippet_id: id })));
  return (
    <Dialog label={t("snippets.title")} class="form-dialog snippets" onClose={() => props.onClose()}>
      <h2>{t("snippets.title")}</h2>
      <Show
        when={edited()}
        keyed
        fallback={
          <>
            <input
              ref={(element) => queueMicrotask(() => element.focus())}
              class="field"
              aria-label={t("snippets.filter")}
              placeholder={t("snippets.filter")}
              autocomplete="off"
              value={filter()}
              onInput={(event) => setFilter(event.currentTarget.value)}
              onKeyDown={(event) => {
                const first = shown()[0];
                if (isComposing(event) || event.key !== "Enter" || !first) return;
                // The key would also break a line in the message box, which gets the focus.
                event.preventDefault();
                choose(first);
              }}
            />
            <Show
              when={shown().length > 0}
              fallback={<p class="nothing">{t(all().length > 0 ? "snippets.none" : "snippets.empty")}</p>}
            >
              <ul>
                <For each={shown()}>
                  {(snippet) => (
                    <li>
                      <button type="button" class="snippet" onClick={() => choose(snippet)}>
                        <bdi>{snippet.title}</bdi>
                        <bdi class="snippet-text">{snippet.content}</bdi>
                      </button>
                      <button
                        type="button"
                        class="square"
                        aria-label={t("snippets.edit", { title: snippet.title })}
                        onClick={() => setEdited(snippet)}
                      >
                        <Icon name="pencil" />
                      </button>
                      <button
                        type="button"
                        class="square"
                        aria-label={t("snippets.delete", { title: snippet.title })}
                        onClick={() => void remove(snippet)}
                      >
                        <Icon name="trash" />
                      </button>
                    </li>
                  )}
                </For>
              </ul>
            </Show>
            <Problem text={problem()} />
            <p class="buttons">
              <button type="button" class="button" onClick={() => setEdited("new")}>
                {t("snippets.new")}
              </button>
            </p>
          </>
        }
      >
        {(snippet) => (
          <SnippetForm
            snippet={snippet === "new" ? undefined : snippet}
            text={props.text}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Show>
    </Dialog>
  );
}
