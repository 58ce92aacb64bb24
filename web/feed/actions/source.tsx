import { createSignal, onMount, Show } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { copyText } from "../../ui/copy.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { fetchSource } from "./message-actions.ts";

/** The text of a message as it was written. */
export function Source(props: { messageId: number; onClose(): void }) {
  const [text, setText] = createSignal<string>();
  const [problem, setProblem] = createSignal<string>();
  const [isCopied, setCopied] = createSignal(false);
  onMount(async () => {
    try {
      setText(await state.track(() => fetchSource(props.messageId)));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    }
  });
  const copy = async () => {
    setCopied(await copyText(text() ?? ""));
  };
  return (
    <Dialog label={t("message.source")} class="source" onClose={() => props.onClose()}>
      <h2>{t("message.source")}</h2>
      <Show when={problem()}>
        {(words) => (
          <p class="problem" role="alert">
            {words()}
          </p>
        )}
      </Show>
      <Show when={text() !== undefined}>
        {/* A long text is scrolled by keys. */}
        <pre dir="auto" tabindex={0} role="document" aria-label={t("message.source")}>
          {text()}
        </pre>
        <p class="buttons">
          <button type="button" class="button" onClick={() => void copy()}>
            {t(isCopied() ? "content.copied" : "source.copy")}
          </button>
        </p>
      </Show>
    </Dialog>
  );
}
