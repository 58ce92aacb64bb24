import { escapeAttribute, escapeCode, escapeQuotedCode } from "./escape.ts";
import { languageTitle } from "./languages.ts";
import type { Session } from "./session.ts";

/** A block of code in the wrapper that clients style, highlighted when the session's renderer can. */
export function renderCodeBlock(text: string, language: string, session: Session): string {
  const code = `${stripNewlines(text)}\n`;
  if (language === "") return wrap("", escapeQuotedCode(code));
  const attribute = ` data-code-language="${escapeAttribute(languageTitle(language) ?? language)}"`;
  const highlighted = session.mayHighlight(code) ? session.extras.highlight?.(code, language) : undefined;
  return wrap(attribute, highlighted ?? escapeCode(code));
}

function wrap(attribute: string, html: string): string {
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>`;
}

function stripNewlines(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 10) start++;
  while (end > start && text.charCodeAt(end - 1) === 10) end--;
  return text.slice(start, end);
}
