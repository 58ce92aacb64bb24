/** A text without its code. */
import { parseDocument } from "./document.ts";
import type { Element } from "./element.ts";
import { codeSpan } from "./inline/code-span.ts";
import type { Lookups } from "./lookups.ts";
import { ANY_MARKER } from "./marker.ts";
import { Session } from "./session.ts";

/** Fences, runs of backticks and indents, with a tab as one; without any of them there is no code. */
const CODE_MARKS = /[`\t]|~~~| {4}/;

/** No lookups are needed: where code ends depends on the text alone. */
const nothing: Lookups = {
  userByName: () => [],
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
  baseUrl: "",
};

/**
 * The text without code in lines and in blocks, and without blocks of maths, just as the renderer tells
 * them apart. In their place stands a backtick, so that the words around them stay apart. A text without
 * any sign of code is returned unchanged.
 */
export function proseOf(text: string): string {
  if (!CODE_MARKS.test(text)) return text;
  const session = new Session(nothing, {});
  return linesOf(parseDocument(text, session), session).join("\n");
}

function linesOf(element: Element, session: Session): string[] {
  const own = element.tag === "pre" ? "`" : withoutCode(element.text, session);
  const lines = element.children.flatMap((child) => linesOf(child, session));
  return [own, ...lines, withoutCode(element.tail, session)];
}

function withoutCode(text: string, session: Session): string {
  return codeSpan.apply(text, session).replace(ANY_MARKER, "`");
}
