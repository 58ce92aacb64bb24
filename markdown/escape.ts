const CODE_SPECIALS = /[&<>]/;
const ATTRIBUTE_SPECIALS = /[&<>"\n]/;
// An ampersand that begins a character reference is kept: writers of this flavour type `&nbsp;` on
// purpose.
const BARE_AMPERSAND = /&(?!(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)/gi;

/** Text between tags. A character reference that the writer typed is kept. */
export function escapeText(text: string): string {
  if (!CODE_SPECIALS.test(text)) return text;
  return text.replace(BARE_AMPERSAND, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** A double-quoted attribute's value. */
export function escapeAttribute(value: string): string {
  if (!ATTRIBUTE_SPECIALS.test(value)) return value;
  return escapeText(value).replace(/"/g, "&quot;").replace(/\n/g, "&#10;");
}

/** Inline code: everything literal, quotes untouched. */
export function escapeCode(text: string): string {
  if (!CODE_SPECIALS.test(text)) return text;
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Code blocks without a language, where quotes are escaped too. */
export function escapeQuotedCode(text: string): string {
  return escapeCode(text).replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}
