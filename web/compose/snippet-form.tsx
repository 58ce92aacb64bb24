import { createSignal } from "solid-js";
import { MAX_SNIPPET_TITLE_LENGTH } from "../../api/limits.ts";
import { createSavedSnippet, updateSavedSnippet } from "../../api/personal/saved-snippets.ts";
import { countCharacters } from "../../client/count-characters.ts";
import type { SavedSnippet } from "../../client/model/saved-snippets.ts";
import { t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { maxMessageLength } from "../shared/state/server-limits.ts";
import { state } from "../shared/state/state.ts";
import { createForm, DialogForm } from "../ui/form-dialog.tsx";

interface FormProps {
  /** undefined: a new one. */
  snippet: SavedSnippet | undefined;
  /** The text of a new one. */
  text: string;
  onClose(): void;
}

export function SnippetForm(props: FormProps) {
  const [title, setTitle] = createSignal(props.snippet?.title ?? "");
  const [content, setContent] = createSignal(props.snippet?.content ?? props.text);

  const form = createForm(save, () => props.onClose());

  async function save(): Promise<string | undefined> {
    if (title().trim() === "" || content().trim() === "") return t("snippets.needBoth");
    const tooMany = countCharacters(content().trim()) - maxMessageLength();
    if (tooMany > 0) return t("compose.tooLong", { count: tooMany });
    const fields = { title: title().trim(), content: content().trim() };
    const { snippet } = props;
    return problemOf(() =>
      snippet
        ? state.connection.call(updateSavedSnippet, { saved_snippet_id: snippet.id, ...fields })
        : state.connection.call(createSavedSnippet, fields),
    );
  }

  return (
    <DialogForm action={t("edit.save")} form={form}>
      <label>
        {t("snippets.name")}
        <input
          ref={(element) => queueMicrotask(() => element.focus())}
          dir="auto"
          autocomplete="off"
          data-max={MAX_SNIPPET_TITLE_LENGTH}
          value={title()}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("snippets.text")}
        <textarea
          rows="5"
          dir="auto"
          value={content()}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </label>
    </DialogForm>
  );
}
