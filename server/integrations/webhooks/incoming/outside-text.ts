/**
 * Pieces of messages that are made of texts from outside. Whatever a text holds, it mentions nobody, links
 * to nothing but web pages, ends no fence and is bounded. Integrations put no text into a message otherwise.
 * This flavour of Markdown has no escape character. So a line that would be read as syntax becomes code, and
 * in a quotation a character of no width divides what would be a mention.
 */

import { isResolvedTopic, RESOLVED_PREFIX } from "../../../../api/channels/topic-name.ts";
import { withoutUnprintable } from "../../../../api/fields.ts";
import { MAX_TOPIC_LENGTH } from "../../../../api/limits.ts";
import { code, quote } from "../../../messages/model/markdown-text.ts";

const MAX_INLINE = 150;
const MAX_QUOTE = 2000;
const MAX_QUOTED_LINES = 40;
const MAX_URL = 500;
const ZERO_WIDTH_SPACE = "\u200b";

/** What the inline rules of Markdown would read as more than text, besides web addresses and emoji. */
const INLINE_SYNTAX = /[*`]|\]\(|\$\$|~~|<time:|&#?\w+;|[^\s(]@[^\s]|bitcoin:/i;
/** What makes a line that begins with it more than a paragraph, or a message a command. */
const LINE_SYNTAX = /^(?:[>#|/]|[-+]\s|[-_=]{2}|\d+[.)]\s)/;

/** A text in a line of a message, such as a name or a title. */
export function inline(text: string | number, limit = MAX_INLINE): string {
  return asText(oneLine(text, limit));
}

export function bold(text: string | number): string {
  return `**${inline(text)}**`;
}

/** A link to a web page. With an address of another kind, or a hopeless one, it is the label alone. */
export function link(label: string | number, address: string | null | undefined): string {
  const url = webAddress(address);
  const line = oneLine(label, MAX_INLINE);
  if (url === undefined) return asText(line);
  if (line === "") return url;
  return `[${/[[\]]/.test(line) ? code(line) : asText(line)}](${url})`;
}

/** A line may begin with any text, so what matters there alone counts everywhere. */
function asText(line: string): string {
  return INLINE_SYNTAX.test(line) || LINE_SYNTAX.test(line) ? code(line) : line;
}

/** A description or a comment, as a quotation with its own Markdown. Empty for a text without words. */
export function quoted(text: string | null | undefined, limit = MAX_QUOTE): string {
  const whole = shortRuns(clean(someOf(text ?? "", limit))).trim();
  if (whole === "") return "";
  const lines = whole.split("\n");
  const some = lines.length > MAX_QUOTED_LINES ? [...lines.slice(0, MAX_QUOTED_LINES), "…"] : lines;
  return quote(disarm(truncate(some.join("\n"), limit)));
}

/** A text in which nothing is syntax, with its lines as they are. */
export function codeBlock(text: string, language = "", limit = MAX_QUOTE): string {
  const content = truncate(shortRuns(clean(someOf(text, limit))), limit);
  const runs = [...content.matchAll(/[`~]+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}${language}\n${content}\n${fence}`;
}

/** Text of several lines whose own formatting stays, without the rest of what Markdown can do. */
export function prose(text: string): string {
  return withoutFences(disarm(clean(text)));
}

/** Text for a block of code that somebody else has begun. */
export function verbatim(text: string): string {
  return withoutFences(truncate(clean(text), MAX_QUOTE));
}

/** No line begins or ends a block of code. */
function withoutFences(text: string): string {
  return text.replace(/^(?=[`~]{3})/gm, ZERO_WIDTH_SPACE);
}

/** The name of a topic: one line of characters that can be shown. Never one of a resolved topic. */
export function topicText(text: string): string {
  const shown = withoutUnprintable(oneLine(text, 4 * MAX_TOPIC_LENGTH));
  return truncate(withoutResolution(shown.trim()), MAX_TOPIC_LENGTH);
}

/** The parts that are not empty, with a blank line between them. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

/** A list, shortened to `limit` items. */
export function list(items: readonly string[], limit = 10): string {
  const more = items.length - limit;
  const shown = items.slice(0, limit).map((item) => `- ${item}`);
  return [...shown, ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

/** At most this many characters, the last of them a sign that there were more. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

/** The line endings of Markdown. Without other control characters, and those that change the direction. */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, "\n")
    .replace(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/\p{Cs}/gu, "\ufffd");
}

function oneLine(text: string | number, limit: number): string {
  const line = clean(someOf(String(text), limit)).replace(/\s+/g, " ");
  return truncate(line.trim(), limit);
}

/** What will be cut off need not be cleaned. Spaces and control characters take no part of the limit. */
function someOf(text: string, limit: number): string {
  return text.slice(0, 8 * limit);
}

/** A fence is longer than the runs in its text, and must not take the room of a message. */
function shortRuns(text: string): string {
  return text.replace(/([`~])\1{20,}/g, (run) => run.slice(0, 20));
}

function disarm(text: string): string {
  return text
    .replace(/@(?=_?\*)/g, `@${ZERO_WIDTH_SPACE}`)
    .replace(/(?<=[\p{L}\p{N}\p{M}_.-])@(?=[\p{L}\p{N}])/gu, `@${ZERO_WIDTH_SPACE}`)
    .replace(/#(?=\*\*)/g, `#${ZERO_WIDTH_SPACE}`)
    .replace(/\](?=\((?!https?:\/\/))/g, `]${ZERO_WIDTH_SPACE}`)
    .replace(/bitcoin(?=:)/gi, `$&${ZERO_WIDTH_SPACE}`);
}

/** The address as Markdown can take it, or undefined if it is not one of a web page. */
function webAddress(address: string | null | undefined): string | undefined {
  if (!address || address.length > MAX_URL || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") return undefined;
  const encoded = href.replace(
    /[()[\]*`'"$|~<>\\{}]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.length > 2 * MAX_URL ? undefined : encoded;
}

function withoutResolution(topic: string): string {
  return isResolvedTopic(topic) ? withoutResolution(topic.slice(RESOLVED_PREFIX.length).trim()) : topic;
}
