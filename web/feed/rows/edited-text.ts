/** The text of a message that is being edited, until it is saved or cancelled. */
import { createSignal } from "solid-js";
import { editMessage as editOnServer } from "../../../api/messages/edit-message.ts";
import { CallError } from "../../../client/call-error.ts";
import { countCharacters } from "../../../client/count-characters.ts";
import { t } from "../../i18n/t.ts";
import type { TextPlace } from "../../shared/compose/begun-text.ts";
import { edited } from "../../shared/compose/editing.ts";
import { removeIfSent, texts } from "../../shared/compose/texts.ts";
import { maxMessageLength } from "../../shared/state/server-limits.ts";
import { state } from "../../shared/state/state.ts";
import { answerAddress, fetchSource } from "../actions/message-actions.ts";

/** Where its beginnings are kept. */
export type EditPlace = TextPlace & { kind: "edit" };

export function createEditedText(messageId: number, onClose: () => void) {
  const [source, setSource] = createSignal<string>();
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string>();
  const place = placeOf(messageId);
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

  /** What was begun, or else the message as it was written. Says whether there is something to edit. */
  async function load(): Promise<boolean> {
    const kept = texts().at(place);
    // Also for a text that is known, the field comes after this.
    const found = await (kept?.base ?? attempt(() => fetchSource(messageId)));
    if (found === undefined) return false;
    setText(kept?.base === undefined ? found : kept.content);
    setSource(found);
    return true;
  }

  function write(value: string): void {
    setText(value);
    texts().write(place, value, "", source());
  }

  /** Without saving. */
  function cancel(): void {
    removeIfSent(place, text());
    onClose();
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
    if (text().trim() === content) return onClose();
    // A person who typed on meanwhile edits what has just been saved.
    setSource(content);
    write(text());
  }

  return { place, text, write, isLoaded: () => source() !== undefined, problem, tooMany, load, save, cancel };
}

function placeOf(messageId: number): EditPlace {
  const message = state.model.messages.byId.get(messageId);
  const to = message ? answerAddress(message) : { kind: "direct" as const, userIds: [] };
  return { kind: "edit", messageId, to };
}

/** In hexadecimal. Pages that are not secure have none, and replace an edit that was made elsewhere. */
async function sha256(text: string): Promise<string | undefined> {
  if (!crypto.subtle) return undefined;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
