/** The keys of the message box, beyond those of its text. */
import { composeTo, editLastMessage } from "../shared/compose/compose-target.ts";
import { isSendKey } from "../shared/preferences/enter-sends.ts";
import { isComposing } from "../ui/is-composing.ts";
import { hasModifier } from "../ui/modifier.ts";

interface Actions {
  isEmpty(): boolean;
  enterSends(): boolean;
  send(): void;
  leave(): void;
  openSnippets(): void;
  togglePreview(): void;
  /** False: there is no place to go to yet. */
  goToPlace(): boolean;
}

export function composeKeys(actions: Actions) {
  /** In an empty field, the arrows have nothing else to do. */
  function isLastWanted(event: KeyboardEvent): boolean {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    return isPlain && actions.isEmpty() && (event.key === "ArrowLeft" || event.key === "ArrowUp");
  }

  return {
    ofField(event: KeyboardEvent): void {
      if (event.key === "Escape") {
        actions.leave();
        composeTo(undefined);
      } else if (isSendKey(event, actions.enterSends())) actions.send();
      else if (hasModifier(event) && event.key === "'") actions.openSnippets();
      else if (isLastWanted(event)) editLastMessage();
      else return;
      event.preventDefault();
    },

    /** Those that work without the field too. */
    ofBox(event: KeyboardEvent): void {
      if (isComposing(event)) return;
      if (event.altKey && event.code === "KeyP") actions.togglePreview();
      else if (!hasModifier(event) || event.key !== "." || !actions.goToPlace()) return;
      event.preventDefault();
    },
  };
}
