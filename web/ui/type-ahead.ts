/** Keeps keys for a field that comes late. Its program, or what it shows, may still be on its way. */
import { onCleanup } from "solid-js";
import { isComposing } from "./is-composing.ts";
import { isThirdLevel } from "./modifier.ts";

/** More than anybody types in the seconds that a part takes. */
const MAX_HELD = 200;
const CONTROLS = ["Enter", "Backspace", "ArrowUp", "ArrowDown"];

/** Ends what the part that was opened last holds. */
let last = new AbortController();

/**
 * Called by a part that a key has opened. Until a field of it has the focus, keys belong to neither the page
 * nor what had the focus before. The first field in `place` that gets it gets them too, in their order. No
 * other field does, such as the message box when its window is used again: Enter would send there. `onCancel`
 * is called for Escape, which drops them. A press of the pointer, a part that is opened next or the end of
 * the part drops them too.
 *
 * @param place - a CSS selector of what is around the field
 */
export function holdKeys(place: string, onCancel: () => void): void {
  const held: string[] = [];
  last.abort();
  const ends = new AbortController();
  last = ends;
  const options = { capture: true, signal: ends.signal };
  const stop = () => ends.abort();
  addEventListener("keydown", hold, options);
  addEventListener("focusin", give, options);
  addEventListener("pointerdown", stop, options);
  onCleanup(stop);

  function hold(event: KeyboardEvent): void {
    const isCommand = event.metaKey || event.ctrlKey || event.altKey;
    if (isComposing(event) || (isCommand && !isThirdLevel(event))) return;
    if (event.key === "Escape") {
      stop();
      onCancel();
    } else if ([...event.key].length > 1 && !CONTROLS.includes(event.key)) {
      return;
    } else if (held.length < MAX_HELD) {
      held.push(event.key);
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** The part may still move the caret, or the focus, in the same turn. */
  function give({ target }: FocusEvent): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (!target.closest(place)) return;
    queueMicrotask(() => {
      if (ends.signal.aborted || document.activeElement !== target) return;
      stop();
      for (const key of held) replay(target, key);
    });
  }
}

function replay(field: HTMLInputElement | HTMLTextAreaElement, key: string): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  if (!field.dispatchEvent(event)) return;
  if (key === "Backspace") document.execCommand("delete");
  else if (!CONTROLS.includes(key)) document.execCommand("insertText", false, key);
  else if (key === "Enter" && field instanceof HTMLTextAreaElement)
    document.execCommand("insertText", false, "\n");
}
