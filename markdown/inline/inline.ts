/** The inline rules in their order, and the pass that applies them to the text of one block. */
import { escapeText } from "../escape.ts";
import { ONE_PHRASE, OPEN } from "../marker.ts";
import type { FoundLink, Session } from "../session.ts";
import { bareLink } from "./bare-links.ts";
import { channelLink } from "./channel-links.ts";
import { codeSpan } from "./code-span.ts";
import { emojiByName, emoticon, unicodeEmoji } from "./emoji.ts";
import { emphasis, strike, strong, strongEmphasis } from "./emphasis.ts";
import { globalTime } from "./global-time.ts";
import { linkify } from "./linkify.ts";
import { namedLink } from "./links.ts";
import { mathSpan } from "./math-span.ts";
import { groupMention, userMention } from "./mentions.ts";
import { HAS, type InlineRule, kindsIn } from "./phrase.ts";
import { resolvePhrases } from "./resolve.ts";

// The order defines the flavour. No later rule sees HTML that a rule stored, and only later rules read an
// element's content.
// COMPAT: strong text is therefore not searched for bare links, nor emphasized text for strong.
const RULES: readonly InlineRule[] = [
  codeSpan,
  strongEmphasis,
  userMention,
  mathSpan,
  channelLink,
  globalTime,
  groupMention,
  namedLink,
  bareLink,
  linkify,
  strong,
  emphasis,
  strike,
  emojiByName,
  emoticon,
  unicodeEmoji,
];

export interface RenderedInline {
  html: string;
  /** In the order in which they stand in the text. */
  links: readonly FoundLink[];
}

/** The HTML of a block's text, and the links met in it. */
export function renderInline(text: string, session: Session): RenderedInline {
  const marked = applyRules(text, 0, session);
  if (!marked.includes(OPEN)) return { html: escapeWithBreaks(marked), links: [] };
  const links = linksIn(marked, session);
  if (links.length === 1 && ONE_PHRASE.test(marked)) links[0]!.isAlone = links[0]!.depth === 0;
  return { html: resolvePhrases(marked, session, escapeWithBreaks), links };
}

function applyRules(text: string, from: number, session: Session): string {
  const { linkifiers } = session.lookups;
  const has = kindsIn(text) | (linkifiers !== undefined && linkifiers.length > 0 ? HAS.linkifiers : 0);
  if (has === 0) return text;
  let current = text;
  for (let i = from; i < RULES.length; i++) {
    const rule = RULES[i]!;
    if ((rule.needs & has) === 0) continue;
    current = rule.apply(current, session, (content) => renderInner(content, i + 1, session));
  }
  return current;
}

/** The content of an element. Only the rules after the element's own read it. */
function renderInner(text: string, from: number, session: Session): string {
  const marked = applyRules(text, from, session);
  session.innerLinks = linksIn(marked, session);
  return resolvePhrases(marked, session, escapeWithBreaks);
}

function linksIn(marked: string, session: Session): FoundLink[] {
  const links: FoundLink[] = [];
  for (let at = marked.indexOf(OPEN); at !== -1; at = marked.indexOf(OPEN, at + 1)) {
    if (marked.charCodeAt(at + 1) === 98) continue;
    const found = session.phrase(Number.parseInt(marked.slice(at + 1, at + 8), 10)).links;
    for (const link of found) links.push(link);
  }
  return links;
}

/** Drops spaces between a line's start and an element or the text's end. Spaces before words stay. */
function escapeWithBreaks(text: string): string {
  const escaped = escapeText(text);
  return escaped.includes("\n") ? escaped.replace(/\n +$/, "\n").replace(/\n/g, "<br>\n") : escaped;
}
