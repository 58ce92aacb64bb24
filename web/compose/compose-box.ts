/** The box around a text: its field, whether the text is shown as others will see it, and the box's size. */
import { createEffect, createSignal, on } from "solid-js";
import { focusRequests } from "../shared/compose/compose-target.ts";
import { grow } from "../ui/grow.ts";
import type { createComposeText } from "./compose-text.ts";
import { applyFormat, type Format } from "./format.ts";

export function createComposeBox(message: ReturnType<typeof createComposeText>) {
  let field: HTMLTextAreaElement | undefined;
  const [isPreview, setPreview] = createSignal(false);
  const [isExpanded, setExpanded] = createSignal(false);
  const focus = () => field?.focus();
  createEffect(on(focusRequests, focus, { defer: true }));
  createEffect(() => {
    message.text();
    if (field) grow(field);
  });
  return {
    field: () => field,
    setField(element: HTMLTextAreaElement) {
      field = element;
    },
    focus,
    leave: () => field?.blur(),
    isPreview,
    isExpanded,

    togglePreview(): void {
      setPreview(!isPreview());
      focus();
    },

    toggleSize(): void {
      setExpanded(!isExpanded());
      focus();
    },

    /** As it is before anything is written. */
    reset(): void {
      setPreview(false);
      setExpanded(false);
      focus();
    },

    /** As a part of the text, in the place of what is selected. */
    insert(text: string): void {
      setPreview(false);
      focus();
      const before = message.text();
      document.execCommand("insertText", false, text);
      // A browser may refuse while a dialog gives the focus back.
      if (message.text() === before) message.write(`${before}${text}`);
    },

    format(format: Format): void {
      setPreview(false);
      if (field) applyFormat(field, format);
    },
  };
}
