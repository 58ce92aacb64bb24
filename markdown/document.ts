/** A whole text: fences out, blocks parsed, inline syntax rendered, previews placed, written out. */
import { BlockParser } from "./blocks/parser.ts";
import { renderCodeBlock } from "./code.ts";
import { type Element, newElement, RAW, writeChildren } from "./element.ts";
import { extractFences } from "./fences.ts";
import { renderInline } from "./inline/inline.ts";
import { separateLists } from "./list-gaps.ts";
import { addPreviews, type PlacedLink } from "./previews.ts";
import type { Session } from "./session.ts";
import { expandLine, normalizeSource } from "./source.ts";

export function renderDocument(text: string, session: Session): string {
  const root = parseDocument(text, session);
  const placed: PlacedLink[] = [];
  renderTexts(root, 0, false, placed, session);
  addPreviews(root, placed, session);
  return writeChildren(root).trim();
}

/**
 * The tree of blocks. Fenced code and maths are already rendered and stand in it as markers. Its other
 * texts are as they were typed.
 */
export function parseDocument(text: string, session: Session): Element {
  const lines = separateLists(normalizeSource(text).split("\n")).map((line, i) => expandLine(line, i === 0));
  const source = extractFences(lines, session).join("\n");
  const root = newElement("root");
  new BlockParser(session).parseText(root, `${source}\n\n`);
  return root;
}

function renderTexts(
  parent: Element,
  depth: number,
  isQuoted: boolean,
  placed: PlacedLink[],
  session: Session,
): void {
  parent.children.forEach((child, i) => {
    const raw = child.tag === "pre" ? renderCodeBlock(child.text, "", session) : session.blockFor(child.text);
    if (raw !== undefined && (child.tag === "p" || child.tag === "pre")) {
      const element = newElement(RAW);
      element.html = raw;
      parent.children[i] = element;
      return;
    }
    if (child.text !== "") {
      const { html, links } = renderInline(child.text, session);
      child.html = html;
      for (const link of links)
        placed.push({ link, block: child, parent, depth: depth + link.depth, isQuoted });
      session.spend(html.length);
    }
    if (child.tail !== "") {
      const { html, links } = renderInline(child.tail, session);
      // A tail begins with the line break that separates it from its element. The element ends its own
      // line first.
      child.tailHtml = `\n${html}`;
      for (const link of links)
        placed.push({
          link: { ...link, isAlone: false },
          block: parent,
          parent,
          depth: depth + link.depth,
          isQuoted,
        });
    }
    renderTexts(child, depth + 1, isQuoted || child.tag === "blockquote", placed, session);
  });
}
