/**
 * Keeps the fields that have `data-max` from getting longer than that. Like the server, this counts code
 * points; a browser's `maxlength` counts UTF-16 units, of which most emoji have two.
 */
import { countCharacters } from "../../client/count-characters.ts";

/** Before any handler of the fields themselves. */
export function limitFields(): void {
  for (const type of ["input", "compositionend"]) addEventListener(type, (event) => limit(event), true);
}

function limit(event: Event): void {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  // A word of an input method may become shorter yet.
  if (event instanceof InputEvent && event.isComposing) return;
  const excess = countCharacters(field.value) - Number(field.dataset.max);
  if (!(excess > 0)) return;
  const caret = field.selectionEnd ?? field.value.length;
  const before = withoutLast(field.value.slice(0, caret), excess);
  field.value = before + field.value.slice(caret);
  field.setSelectionRange(before.length, before.length);
  if (event.type === "compositionend") field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** What was typed or pasted last goes, since the caret is behind it. */
function withoutLast(text: string, count: number): string {
  return [...text].slice(0, -count).join("");
}
