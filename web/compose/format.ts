/** Marks of Markdown around what is selected, by keys and by the bar. The browser's undo takes them back. */
import { hasModifier } from "../ui/modifier.ts";

export type Format = "bold" | "italic" | "code" | "link";

const marks = { bold: ["**", "**"], italic: ["*", "*"], code: ["`", "`"], link: ["[", "](url)"] } as const;
/** With Ctrl or ⌘; capital letters are with Shift too. */
const keys: Readonly<Record<string, Format>> = { b: "bold", i: "italic", L: "link", C: "code" };

/** Whether the key was one of the formatting. */
export function formatKey(event: KeyboardEvent, field: HTMLTextAreaElement): boolean {
  if (!hasModifier(event) || event.altKey) return false;
  const format = keys[event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()];
  if (!format) return false;
  event.preventDefault();
  applyFormat(field, format);
  return true;
}

/** Marks that are there already are taken away. Several lines of code become a block. */
export function applyFormat(field: HTMLTextAreaElement, format: Format): void {
  field.focus();
  const { selectionStart: start, selectionEnd: end, value } = field;
  const selected = value.slice(start, end);
  const [before, after] = marksOf(format, selected);
  const isMarked =
    format !== "link" &&
    value.slice(0, start).endsWith(before) &&
    value.slice(end).startsWith(after) &&
    !(format === "italic" && value.slice(0, start).endsWith("**"));
  if (isMarked) {
    field.setSelectionRange(start - before.length, end + after.length);
    insert(selected);
    field.setSelectionRange(start - before.length, end - before.length);
    return;
  }
  insert(`${before}${selected}${after}`);
  const from = start + before.length;
  if (format === "link" && selected !== "") {
    // The address is what is still missing.
    field.setSelectionRange(from + selected.length + 2, from + selected.length + 5);
  } else field.setSelectionRange(from, from + selected.length);
}

function marksOf(format: Format, selected: string): readonly [string, string] {
  return format === "code" && selected.includes("\n") ? ["```\n", "\n```"] : marks[format];
}

function insert(text: string): void {
  document.execCommand(text === "" ? "delete" : "insertText", false, text);
}
