/** The keys of the field for searches. */
import { isComposing } from "../ui/is-composing.ts";
import type { createFieldState } from "./field-state.ts";

type InputKey = KeyboardEvent & { currentTarget: HTMLInputElement };

export function searchKeys(field: ReturnType<typeof createFieldState>, giveUp: () => void) {
  const { list } = field;
  return (event: InputKey): void => {
    if (isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (list.handleKey(event)) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const last = field.terms().at(-1);
    if (event.key === "ArrowDown") field.setOpen(true);
    else if (event.key === "Enter") field.run();
    else if (event.key === "Tab" && !event.shiftKey && list.isShown() && list.at() > 0) list.choose();
    else if (event.key === "Backspace" && selectionStart === 0 && selectionEnd === 0 && last)
      field.remove(last);
    else if (event.key === "Escape") giveUp();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
