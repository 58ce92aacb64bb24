import { Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import type { Conversation } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { placeName } from "../shared/text/names.ts";
import { grow } from "../ui/grow.ts";
import { isComposing } from "../ui/is-composing.ts";
import type { createAutocomplete } from "./autocomplete.ts";
import { foldNames } from "./fold-names.ts";
import { formatKey } from "./format.ts";
import { writing } from "./writing.ts";

interface FieldProps {
  place: Conversation;
  text: string;
  completions: ReturnType<typeof createAutocomplete>;
  onField(field: HTMLTextAreaElement): void;
  onWrite(text: string): void;
  /** Keys that neither the list nor the formatting took. */
  onKeyDown(event: KeyboardEvent): void;
  onFiles(files: readonly File[]): void;
  onBlur(): void;
}

/** The field of the text, with the list of completions above it. */
export function MessageField(props: FieldProps) {
  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
    if (isComposing(event) || props.completions.handleKey(event)) return;
    if (formatKey(event, event.currentTarget)) return;
    props.onKeyDown(event);
  }

  /** Files are uploaded, formatted text becomes Markdown, and plain text stays as it is. */
  function onPaste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) props.onFiles(files);
    else if (!pasteFormatted(event)) return;
    event.preventDefault();
  }

  return (
    <>
      <Show when={writing.part()}>
        {(parts) => <Dynamic component={parts().Completions} list={props.completions.list} />}
      </Show>
      <textarea
        ref={(element) => {
          props.onField(element);
          props.completions.list.attach(element);
          queueMicrotask(() => grow(element));
        }}
        rows="1"
        dir="auto"
        aria-label={t("compose.label", { place: placeName(props.place) })}
        placeholder={t("compose.placeholder", { place: placeName(props.place) })}
        value={props.text}
        onInput={(event) => {
          props.onWrite(event.currentTarget.value);
          if (!event.isComposing) props.completions.update();
        }}
        onCompositionEnd={() => props.completions.update()}
        onFocus={() => {
          void foldNames(props.completions.rehearse);
          void writing.need();
        }}
        onClick={() => props.completions.update()}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          props.onBlur();
          props.completions.close();
        }}
      />
    </>
  );
}

/** Whether the text is inserted as Markdown. The clipboard can only be read while the event is handled. */
function pasteFormatted({ clipboardData, currentTarget }: ClipboardEvent): boolean {
  const [html, plain] = [clipboardData?.getData("text/html"), clipboardData?.getData("text/plain")];
  if (!html) return false;
  const parts = writing.part();
  if (parts) return insert(parts.pastedMarkdown(html, plain ?? ""));
  void writing.need().then((late) => {
    (currentTarget as HTMLElement).focus();
    insert(late?.pastedMarkdown(html, plain ?? "") ?? plain);
  });
  return true;
}

function insert(text: string | undefined): boolean {
  return text !== undefined && document.execCommand("insertText", false, text);
}
