import { createSignal, onMount, Show } from "solid-js";
import { editMessage } from "../../api/edit-message.ts";
import { CallError } from "../../client/call-error.ts";
import { enterSendsSignal, isSendKey } from "../app/preferences/enter-sends.ts";
import { state } from "../app/state/state.ts";
import { t } from "../i18n/t.ts";
import { grow } from "../ui/grow.ts";
import { fetchSource } from "./message-actions.ts";

/** The text of a message in a field, in the place of the message. */
export function EditBox(props: { messageId: number; onClose(): void }) {
  let form: HTMLFormElement | undefined;
  let field: HTMLTextAreaElement | undefined;
  const [source, setSource] = createSignal<string>();
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string>();
  const enterSends = enterSendsSignal();
  const maxLength = Number(state.model.constants.max_message_length ?? 10_000);

  async function attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
    setProblem(undefined);
    try {
      return await state.track(call);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
      return undefined;
    }
  }

  onMount(async () => {
    const found = await attempt(() => fetchSource(props.messageId));
    if (found === undefined) return;
    setText(found);
    setSource(found);
    if (!field) return;
    grow(field);
    field.focus();
    field.setSelectionRange(found.length, found.length);
    // The feed keeps what was on the screen where it was, once it has measured the box.
    const show = () => form?.scrollIntoView({ block: "nearest" });
    requestAnimationFrame(() => requestAnimationFrame(show));
  });

  async function save(): Promise<void> {
    const [before, content] = [source(), text().trim()];
    if (before === undefined || content.length > maxLength) return;
    if (content === "") return void setProblem(t("edit.empty"));
    if (content === before) return props.onClose();
    const hash = await sha256(before);
    const parameters = { message_id: props.messageId, content, ...(hash && { prev_content_sha256: hash }) };
    const reply = await attempt(() => state.connection.call(editMessage, parameters as never));
    if (reply !== undefined) props.onClose();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape") props.onClose();
    else if (isSendKey(event, enterSends())) void save();
    else return;
    event.preventDefault();
  }

  return (
    <form
      ref={(one) => {
        form = one;
      }}
      class="edit-box box"
      aria-label={t("message.edit")}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Show when={source() !== undefined}>
        <textarea
          ref={(one) => {
            field = one;
          }}
          rows="1"
          dir="auto"
          aria-label={t("edit.label")}
          value={text()}
          onInput={(event) => {
            setText(event.currentTarget.value);
            grow(event.currentTarget);
          }}
          onKeyDown={onKeyDown}
        />
      </Show>
      <div class="edit-tools">
        <Show when={problem()}>
          {(words) => (
            <p class="problem" role="alert">
              {words()}
            </p>
          )}
        </Show>
        <Show when={text().length > maxLength}>
          <p class="problem" role="alert">
            {t("compose.tooLong", { count: text().length - maxLength })}
          </p>
        </Show>
        <button type="button" class="button" onClick={() => props.onClose()}>
          {t("dialog.cancel")}
        </button>
        <button type="submit" class="button primary">
          {t("edit.save")}
        </button>
      </div>
    </form>
  );
}

/** In hexadecimal. Pages that are not secure have none, and replace an edit that was made elsewhere. */
async function sha256(text: string): Promise<string | undefined> {
  if (!crypto.subtle) return undefined;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
