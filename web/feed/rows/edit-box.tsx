import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { editMessage as editOnServer } from "../../../api/messages/edit-message.ts";
import { CallError } from "../../../client/call-error.ts";
import { countCharacters } from "../../../client/count-characters.ts";
import { t } from "../../i18n/t.ts";
import { placeKey, type TextPlace } from "../../shared/compose/begun-text.ts";
import { edited, keepCaret, takeCaret } from "../../shared/compose/editing.ts";
import { removeIfSent, texts } from "../../shared/compose/texts.ts";
import { enterSendsSignal, isSendKey } from "../../shared/preferences/enter-sends.ts";
import { linkTo, narrowOfMessage } from "../../shared/routing/links.ts";
import { go, route } from "../../shared/routing/route.ts";
import { maxMessageLength } from "../../shared/state/server-limits.ts";
import { state } from "../../shared/state/state.ts";
import { grow } from "../../ui/grow.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { answerAddress, fetchSource } from "../actions/message-actions.ts";

/**
 * The text of a message in a field, in the place of the message. It is kept until it is saved or cancelled,
 * wherever the person or the message goes meanwhile.
 */
export function EditBox(props: { messageId: number; onClose(): void }) {
  let form: HTMLFormElement | undefined;
  let field: HTMLTextAreaElement | undefined;
  const [source, setSource] = createSignal<string>();
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string>();
  const enterSends = enterSendsSignal();
  const [messageId, place] = [props.messageId, placeOf(props.messageId)];
  const tooMany = () => countCharacters(text()) - maxMessageLength();

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
    const kept = texts().at(place);
    // Also for a text that is known, the field comes after this.
    const found = await (kept?.base ?? attempt(() => fetchSource(messageId)));
    if (found === undefined) return;
    setText(kept?.base === undefined ? found : kept.content);
    setSource(found);
    if (!field) return;
    grow(field);
    field.focus();
    const { start, end } = takeCaret(messageId) ?? { start: text().length, end: text().length };
    field.setSelectionRange(start, end);
    // The feed keeps what was on the screen where it was, once it has measured the box.
    const show = () => form?.scrollIntoView({ block: "nearest" });
    requestAnimationFrame(() => requestAnimationFrame(show));
  });

  onCleanup(() => {
    texts().leave(place);
    if (!field || document.activeElement !== field) return;
    keepCaret({ messageId, start: field.selectionStart, end: field.selectionEnd });
    followMessage(messageId, place);
  });

  function write(value: string): void {
    setText(value);
    texts().write(place, value, "", source());
  }

  /** Without saving. */
  function cancel(): void {
    removeIfSent(place, text());
    props.onClose();
  }

  async function save(): Promise<void> {
    const [before, content] = [source(), text().trim()];
    if (before === undefined || tooMany() > 0) return;
    if (content === "") return void setProblem(t("edit.empty"));
    if (content === before) return cancel();
    const hash = await sha256(before);
    const parameters = { message_id: messageId, content, ...(hash && { prev_content_sha256: hash }) };
    const reply = await attempt(() => state.connection.call(editOnServer, parameters));
    if (reply === undefined) return;
    removeIfSent(place, content);
    if (edited() !== messageId) return;
    if (text().trim() === content) return props.onClose();
    // Who typed on meanwhile edits what has just been saved.
    setSource(content);
    write(text());
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Escape") cancel();
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
            write(event.currentTarget.value);
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
        <Show when={tooMany() > 0}>
          <p class="problem" role="alert">
            {t("compose.tooLong", { count: tooMany() })}
          </p>
        </Show>
        <button type="button" class="button" onClick={cancel}>
          {t("dialog.cancel")}
        </button>
        <button type="submit" class="button primary">
          {t("edit.save")}
        </button>
      </div>
    </form>
  );
}

function placeOf(messageId: number): TextPlace & { kind: "edit" } {
  const message = state.model.messages.byId.get(messageId);
  const to = message ? answerAddress(message) : { kind: "direct" as const, userIds: [] };
  return { kind: "edit", messageId, to };
}

/** Where somebody types, the view goes along with the message: keys would have other meanings without it. */
function followMessage(messageId: number, place: TextPlace & { kind: "edit" }): void {
  const message = state.model.messages.byId.get(messageId);
  if (!message || placeKey(answerAddress(message)) === placeKey(place.to)) return;
  requestAnimationFrame(() => {
    const isElsewhere = edited() !== messageId || route().view !== "messages";
    if (isElsewhere || document.querySelector(".edit-box")) return;
    go(linkTo(narrowOfMessage(message.to), messageId));
  });
}

/** In hexadecimal. Pages that are not secure have none, and replace an edit that was made elsewhere. */
async function sha256(text: string): Promise<string | undefined> {
  if (!crypto.subtle) return undefined;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
