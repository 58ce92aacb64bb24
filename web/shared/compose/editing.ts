/** Which message is being edited in its row. The tab knows it again after a reload. */
import { createSignal } from "solid-js";
import { readStored, removeStored, writeStored } from "../state/browser-storage.ts";

const STORED = "parley.edited";
const [edited, setEdited] = createSignal<number | undefined>();

/** Where the caret was, for a row that is drawn again while somebody types. */
interface Caret {
  messageId: number;
  start: number;
  end: number;
}

let caret: Caret | undefined;

export { edited };

export function editMessage(messageId: number | undefined): void {
  setEdited(messageId);
  if (messageId === undefined) removeStored(STORED, "tab");
  else writeStored(STORED, String(messageId), "tab");
}

/** `isKept`: whether there is a text of this account for the message. */
export function resumeEdit(isKept: (messageId: number) => boolean): void {
  const messageId = Number(readStored(STORED, "tab") ?? 0);
  if (messageId > 0 && isKept(messageId)) setEdited(messageId);
}

export function keepCaret(kept: Caret): void {
  caret = kept;
}

export function takeCaret(messageId: number): Caret | undefined {
  const kept = caret?.messageId === messageId ? caret : undefined;
  caret = undefined;
  return kept;
}
