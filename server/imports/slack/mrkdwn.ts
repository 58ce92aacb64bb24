/**
 * Slack's text as Markdown. A scanner reads it, since what a character means depends on where it stands: code
 * has no other syntax, and marks mean something at the borders of words only. What would mean something in
 * Markdown and means nothing in Slack becomes a character reference.
 */
import { codeBlock } from "../texts/code-block.ts";
import { unicodeEmoji } from "../texts/emoji.ts";
import { escaped } from "../texts/escaped.ts";
import { link } from "../texts/link.ts";
import { reference } from "../texts/references.ts";

const MAX_DEPTH = 4;
const FENCE = "```";
const PERMALINK = /^https?:\/\/[a-z0-9.-]+\.slack\.com\/archives\/([A-Z0-9]+)\/p(\d{10})(\d{6})(?:\?.*)?$/;
const marks: Record<string, string> = { "*": "**", _: "*", "~": "~~" };

export function convertMrkdwn(text: string): string {
  const out: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(FENCE, at);
    const close = open < 0 ? -1 : text.indexOf(FENCE, open + FENCE.length);
    const prose = text.slice(at, close < 0 ? undefined : open);
    if (prose.trim() !== "") out.push(convertLines(prose.replace(/^\n|\n$/g, "")));
    if (close < 0) break;
    out.push(codeBlock(withoutBreaks(literal(text.slice(open + FENCE.length, close)))));
    at = close + FENCE.length;
  }
  return out.join("\n");
}

/** Without a line break at either end, which Slack does not show in code. */
export function withoutBreaks(code: string): string {
  return code.replace(/^\n|\n$/g, "");
}

/** Text of Slack as it is read, without any syntax. */
export function literal(text: string): string {
  return unescaped(text.replace(/<([^<>\n]*)>/g, (_, body: string) => body.split("|").at(-1) ?? ""));
}

export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function convertLines(text: string): string {
  let isQuoted = false;
  let wasQuoted = false;
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    let rest = line;
    if (!isQuoted && rest.startsWith("&gt;&gt;&gt;")) {
      isQuoted = true;
      rest = rest.slice(12);
    } else if (!isQuoted && !rest.startsWith("&gt;")) {
      if (wasQuoted) lines.push("");
      wasQuoted = false;
      lines.push(convertLine(rest));
      continue;
    } else if (!isQuoted) rest = rest.slice(4);
    wasQuoted = true;
    lines.push(`> ${convertLine(rest.trimStart())}`);
  }
  return lines.join("\n");
}

function convertLine(line: string): string {
  const bullet = /^(\s*)[•◦▪]\s+/.exec(line);
  if (bullet) return `${bullet[1]}* ${convertInline(line.slice(bullet[0].length), 0)}`;
  return withPlainStarts(convertInline(line, 0));
}

/** Lines that begin no heading and no quote. */
export function withPlainStarts(markdown: string): string {
  return markdown.replace(/^#/gm, "&#35;").replace(/^>/gm, "&gt;");
}

function convertInline(text: string, depth: number): string {
  let out = "";
  let plain = "";
  const unclosed = new Set<string>();
  const flush = () => {
    out += escaped(unescaped(plain));
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const found = readSpecial(text, at, { depth, unclosed });
    if (found) {
      flush();
      out += found.markdown;
      at = found.end;
    } else plain += text[at++];
  }
  flush();
  return out;
}

/**
 * `unclosed`: the characters that no end follows. A search that found none is not made again from behind it,
 * or a line of openings would take quadratic time.
 */
function readSpecial(
  text: string,
  at: number,
  { depth, unclosed }: { depth: number; unclosed: Set<string> },
): { markdown: string; end: number } | undefined {
  const character = text[at] as string;
  if (unclosed.has(character)) return undefined;
  if (character === "<") {
    const end = text.indexOf(">", at);
    if (end < 0) unclosed.add(character);
    return end < 0 ? undefined : { markdown: convertToken(text.slice(at + 1, end)), end: end + 1 };
  }
  if (character === "`") {
    const end = text.indexOf("`", at + 1);
    if (end <= at + 1) return undefined;
    return { markdown: `\`${literal(text.slice(at + 1, end))}\``, end: end + 1 };
  }
  if (character === ":") {
    const match = /^:([a-z0-9_+'-]{1,80}):(?::?skin-tone-[2-6]:)?/.exec(text.slice(at, at + 100));
    const emoji = match && unicodeEmoji(match[1] as string);
    return emoji ? { markdown: `:${emoji.emojiName}:`, end: at + match[0].length } : undefined;
  }
  const mark = marks[character];
  if (mark === undefined || depth >= MAX_DEPTH || !isOpening(text, at, character)) return undefined;
  const end = endOfMarked(text, at, character);
  if (end < 0) {
    unclosed.add(character);
    return undefined;
  }
  return { markdown: `${mark}${convertInline(text.slice(at + 1, end), depth + 1)}${mark}`, end: end + 1 };
}

function isOpening(text: string, at: number, mark: string): boolean {
  const [before, after] = [text[at - 1], text[at + 1]];
  return !isWord(before) && before !== mark && after !== mark && !isBlank(after);
}

function endOfMarked(text: string, at: number, mark: string): number {
  for (let end = text.indexOf(mark, at + 2); end >= 0; end = text.indexOf(mark, end + 1)) {
    if (!isBlank(text[end - 1]) && !isWord(text[end + 1]) && text[end + 1] !== mark) return end;
  }
  return -1;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}

/** What stands between `<` and `>`. */
function convertToken(body: string): string {
  const bar = body.indexOf("|");
  const target = bar < 0 ? body : body.slice(0, bar);
  const label = unescaped(bar < 0 ? "" : body.slice(bar + 1));
  switch (target[0]) {
    case "@":
      return reference("p", target.slice(1), label.replace(/^@/, ""));
    case "#":
      return reference("c", target.slice(1), label);
    case "!":
      return convertCommand(target.slice(1), label);
    default:
      return slackLink(unescaped(target), label);
  }
}

function convertCommand(name: string, label: string): string {
  if (/^(?:here|channel|everyone)$/.test(name)) return "@_**all**";
  const seconds = /^date\^(\d{1,11})\^/.exec(name)?.[1];
  if (seconds !== undefined) return `<time:${new Date(Number(seconds) * 1000).toISOString()}>`;
  return escaped(label || name.split("^")[0] || "");
}

/** A link, which leads to the message here if it did so in Slack. */
export function slackLink(address: string, label: string): string {
  return link(address, label, (given, url) => {
    const [, channel, seconds, micros] = PERMALINK.exec(given) ?? [];
    return channel === undefined ? undefined : reference("m", `${channel}:${seconds}.${micros}`, url);
  });
}
