/** Newer browsers do it by the style sheet, without a layout of the page for each key. */
const growsItself = CSS.supports("field-sizing", "content");

/** Makes a field as high as its text; the style sheet has the limit. */
export function grow(field: HTMLTextAreaElement): void {
  if (growsItself) return;
  field.style.height = "0";
  field.style.height = `${field.scrollHeight}px`;
}
