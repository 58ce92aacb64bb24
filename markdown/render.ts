/**
 * The entry point of the Markdown renderer: text and look-ups in, HTML and facts out. Pure, and the same
 * in server and browser.
 */
import { renderDocument } from "./document.ts";
import { escapeText } from "./escape.ts";
import type { RendererExtras } from "./extras.ts";
import { type MessageFacts, noFacts } from "./facts.ts";
import { findsLink } from "./inline/linkify.ts";
import type { Lookups } from "./lookups.ts";
import { renderPlainText } from "./plain-text.ts";
import { Session, TooIntricate } from "./session.ts";

export interface RenderedMessage {
  html: string;
  facts: MessageFacts;
}

export interface Renderer {
  /** Never throws, whatever the text. The HTML holds no script, event handler or foreign style. */
  render(text: string, lookups: Lookups): RenderedMessage;
}

/** One renderer serves all messages; it keeps nothing between them. */
export function createRenderer(extras: RendererExtras = {}): Renderer {
  return {
    render(text, lookups) {
      const plain = lookups.translateEmoticons === true ? null : renderPlainText(text);
      if (plain !== null && !findsLink(text, lookups)) return { html: plain, facts: plainFacts(text) };
      const session = new Session(lookups, extras);
      try {
        const html = renderDocument(text, session);
        session.facts.isMeMessage = isMeMessage(text);
        return { html, facts: session.facts };
      } catch (error) {
        if (!(error instanceof TooIntricate)) throw error;
        return { html: renderPlainly(text), facts: plainFacts(text) };
      }
    },
  };
}

function plainFacts(text: string): MessageFacts {
  return { ...noFacts(), isMeMessage: isMeMessage(text) };
}

function isMeMessage(text: string): boolean {
  return text.startsWith("/me ");
}

/** Paragraphs and line breaks only. */
function renderPlainly(text: string): string {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  return paragraphs.map((paragraph) => `<p>${escapeText(paragraph).replace(/\n/g, "<br>\n")}</p>`).join("\n");
}
