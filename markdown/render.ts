/** The Markdown flavour's front door: text and look-ups in, HTML and facts out. Pure, and the same in server and browser. */
import { renderDocument } from "./document.ts";
import { escapeText } from "./escape.ts";
import { type MessageFacts, noFacts } from "./facts.ts";
import { findsLink } from "./inline/linkify.ts";
import type { Lookups } from "./lookups.ts";
import { renderPlainText } from "./plain-text.ts";
import { Session, TooIntricate } from "./session.ts";

export interface RenderedMessage {
  html: string;
  facts: MessageFacts;
}

/** The heavy parts, present on the server only. Without them code and maths stay plain text. */
export interface RendererExtras {
  /** Code as HTML of the same text, or null when the language is unknown or the code too long. */
  highlight?(code: string, language: string): string | null;
  /** A formula as HTML, or null when it does not parse. */
  math?(tex: string, isDisplay: boolean): string | null;
}

export interface Renderer {
  /** Never throws on any text; HTML holds no script, event handler or foreign style. */
  render(text: string, lookups: Lookups): RenderedMessage;
}

/** One renderer serves all messages; it keeps nothing between them. */
export function createRenderer(extras: RendererExtras = {}): Renderer {
  return {
    render(text, lookups) {
      const plain = lookups.translateEmoticons === true ? null : renderPlainText(text);
      if (plain !== null && !findsLink(text, lookups))
        return { html: plain, facts: plainFacts(text, lookups) };
      const session = new Session(lookups, extras);
      try {
        const html = renderDocument(text, session);
        session.facts.isMeMessage = text.startsWith("/me ");
        return { html, facts: session.facts };
      } catch (error) {
        if (!(error instanceof TooIntricate)) throw error;
        return renderPlainly(text, new Session(lookups, {}).facts);
      }
    },
  };
}

function plainFacts(text: string, lookups: Lookups): MessageFacts {
  const facts = noFacts();
  facts.isMeMessage = text.startsWith("/me ");
  facts.alertWords = lookups.alertWords?.find(text) ?? [];
  return facts;
}

/** Paragraphs and line breaks only. */
function renderPlainly(text: string, facts: MessageFacts): RenderedMessage {
  facts.isPlainFallback = true;
  facts.isMeMessage = text.startsWith("/me ");
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  const html = paragraphs
    .map((paragraph) => `<p>${escapeText(paragraph).replace(/\n/g, "<br>\n")}</p>`)
    .join("\n");
  return { html, facts };
}
