import { CLOSE, OPEN } from "../marker.ts";
import type { Session } from "../session.ts";

/**
 * The text with its markers replaced by the HTML they stand for, and everything between them passed through
 * `escapeRest`.
 */
export function resolvePhrases(text: string, session: Session, escapeRest: (text: string) => string): string {
  let at = text.indexOf(OPEN);
  if (at === -1) return escapeRest(text);
  let out = "";
  let done = 0;
  while (at !== -1) {
    const end = text.indexOf(CLOSE, at);
    if (at > done) out += escapeRest(text.slice(done, at));
    const isBlock = text.charCodeAt(at + 1) === 98;
    out += isBlock
      ? session.block(Number(text.slice(at + 2, end)))
      : session.phrase(Number(text.slice(at + 1, end))).html;
    done = end + 1;
    at = text.indexOf(OPEN, done);
  }
  return done < text.length ? out + escapeRest(text.slice(done)) : out;
}
