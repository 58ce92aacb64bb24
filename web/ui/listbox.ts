/**
 * A field with a list of options: ARIA's pattern of a combobox. The field keeps the focus, its keys go
 * through the list, and it names the active option. For screen readers, a field of several lines is a text
 * box, which says that it has a list, and not whether the list is open.
 */

import { type Accessor, createRenderEffect, createSignal, createUniqueId } from "solid-js";
import { aside } from "./aside.ts";
import { isComposing } from "./is-composing.ts";

type Field = HTMLInputElement | HTMLTextAreaElement;

interface ListboxProps<T> {
  items: Accessor<readonly T[]>;
  onChoose(item: T): void;
  /** Without it, the list is open while it has options. */
  isOpen?: Accessor<boolean>;
  /** So many options are beside each other, and the arrows to the sides go through them. */
  columns?: number;
  /** The option above or below, where rows are not all of `columns`. */
  beside?(at: number, by: number): number;
}

export type Listbox<T> = ReturnType<typeof createListbox<T>>;

export function createListbox<T>({ items, onChoose, isOpen, columns = 1, beside }: ListboxProps<T>) {
  const id = createUniqueId();
  const [wanted, setAt] = createSignal(0);
  let field: Field | undefined;
  const last = () => items().length - 1;
  /** The active option; -1 before one is chosen. Options may have become fewer. */
  const at = () => Math.min(wanted(), last());
  const isShown = () => last() >= 0 && (isOpen?.() ?? true);
  const optionId = (index: number) => `${id}-${index}`;
  const optionElement = () => document.getElementById(optionId(Math.max(0, at())));

  /** From the end of a list, it goes on at the other one. In columns it stops. */
  function step(by: number): number {
    if (beside && Math.abs(by) > 1) return beside(at(), by);
    const to = at() + by;
    if (columns > 1) return Math.max(0, Math.min(last(), to));
    if (to > last()) return 0;
    return to < 0 ? last() : to;
  }

  /** As many options as the list shows at once. */
  function page(): number {
    const height = document.getElementById(id)?.clientHeight ?? 0;
    const rows = Math.floor(height / (optionElement()?.offsetHeight || Infinity));
    return columns * Math.max(1, rows);
  }

  /** Where the key leads; undefined: it is for the text. An empty text has no use for Home and End. */
  function target(key: string): number | undefined {
    const isEmpty = field?.value === "";
    const isAtEnd = field?.selectionStart === field?.value.length;
    if (key === "ArrowDown") return step(columns);
    if (key === "ArrowUp") return step(-columns);
    if (key === "PageDown") return Math.min(last(), Math.max(0, at()) + page());
    if (key === "PageUp") return Math.max(0, at() - page());
    if (key === "Home" && isEmpty) return 0;
    if (key === "End" && isEmpty) return last();
    const by = columns > 1 ? aside(key) : undefined;
    return by && (by < 0 ? at() > 0 : isAtEnd) ? step(by) : undefined;
  }

  function choose(index = at()): void {
    const item = items()[index];
    if (item !== undefined) onChoose(item);
  }

  return {
    id,
    items,
    at,
    setAt,
    isShown,
    optionId,
    choose,
    active: (): T | undefined => (isShown() ? items()[at()] : undefined),

    /** Makes the field the list's. */
    attach(element: Field): void {
      field = element;
      const isTextBox = element instanceof HTMLTextAreaElement;
      if (isTextBox) element.setAttribute("aria-haspopup", "listbox");
      else element.setAttribute("role", "combobox");
      element.setAttribute("aria-autocomplete", "list");
      createRenderEffect(() => {
        if (!isTextBox) element.setAttribute("aria-expanded", String(isShown()));
        setOrRemove(element, "aria-controls", isShown() ? id : undefined);
        setOrRemove(element, "aria-activedescendant", isShown() && at() >= 0 ? optionId(at()) : undefined);
      });
    },

    /** Whether the key was for the list. One that was goes nowhere else. */
    handleKey(event: KeyboardEvent): boolean {
      if (!isShown() || isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) return false;
      if (event.key === "Enter" && at() >= 0) choose();
      else {
        const to = event.shiftKey ? undefined : target(event.key);
        if (to === undefined) return false;
        setAt(to);
        optionElement()?.scrollIntoView({ block: "nearest" });
      }
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

function setOrRemove(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
