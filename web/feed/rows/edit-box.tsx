import { onCleanup, onMount, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { placeKey } from "../../shared/compose/begun-text.ts";
import { edited, keepCaret, takeCaret } from "../../shared/compose/editing.ts";
import { texts } from "../../shared/compose/texts.ts";
import { enterSendsSignal, isSendKey } from "../../shared/preferences/enter-sends.ts";
import { linkTo, narrowOfMessage } from "../../shared/routing/links.ts";
import { go, route } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";
import { grow } from "../../ui/grow.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { answerAddress } from "../actions/message-actions.ts";
import { createEditedText, type EditPlace } from "./edited-text.ts";

/**
 * The text of a message in a field, in the place of the message. It is kept until it is saved or cancelled,
 * wherever the person or the message goes meanwhile.
 */
export function EditBox(props: { messageId: number; onClose(): void }) {
  let form: HTMLFormElement | undefined;
  let field: HTMLTextAreaElement | undefined;
  const { messageId } = props;
  const edit = createEditedText(messageId, () => props.onClose());
  const enterSends = enterSendsSignal();

  onMount(async () => {
    if (!(await edit.load()) || !field) return;
    grow(field);
    field.focus();
    const end = edit.text().length;
    const caret = takeCaret(messageId) ?? { start: end, end };
    field.setSelectionRange(caret.start, caret.end);
    // The feed keeps what was on the screen where it was, once it has measured the box.
    const show = () => form?.scrollIntoView({ block: "nearest" });
    requestAnimationFrame(() => requestAnimationFrame(show));
  });

  onCleanup(() => {
    texts().leave(edit.place);
    if (!field || document.activeElement !== field) return;
    keepCaret({ messageId, start: field.selectionStart, end: field.selectionEnd });
    followMessage(messageId, edit.place);
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Escape") edit.cancel();
    else if (isSendKey(event, enterSends())) void edit.save();
    else return;
    event.preventDefault();
  }

  return (
    <form
      ref={(element) => {
        form = element;
      }}
      class="edit-box box"
      aria-label={t("message.edit")}
      onSubmit={(event) => {
        event.preventDefault();
        void edit.save();
      }}
    >
      <Show when={edit.isLoaded()}>
        <textarea
          ref={(element) => {
            field = element;
          }}
          rows="1"
          dir="auto"
          aria-label={t("edit.label")}
          value={edit.text()}
          onInput={(event) => {
            edit.write(event.currentTarget.value);
            grow(event.currentTarget);
          }}
          onKeyDown={onKeyDown}
        />
      </Show>
      <div class="edit-tools">
        <Show when={edit.problem()}>
          {(words) => (
            <p class="problem" role="alert">
              {words()}
            </p>
          )}
        </Show>
        <Show when={edit.tooMany() > 0}>
          <p class="problem" role="alert">
            {t("compose.tooLong", { count: edit.tooMany() })}
          </p>
        </Show>
        <button type="button" class="button" onClick={edit.cancel}>
          {t("dialog.cancel")}
        </button>
        <button type="submit" class="button primary">
          {t("edit.save")}
        </button>
      </div>
    </form>
  );
}

/** Where somebody types, the view goes along with the message: keys would have other meanings without it. */
function followMessage(messageId: number, place: EditPlace): void {
  const message = state.model.messages.byId.get(messageId);
  if (!message || placeKey(answerAddress(message)) === placeKey(place.to)) return;
  requestAnimationFrame(() => {
    const isElsewhere = edited() !== messageId || route().view !== "messages";
    if (isElsewhere || document.querySelector(".edit-box")) return;
    go(linkTo(narrowOfMessage(message.to), messageId));
  });
}
