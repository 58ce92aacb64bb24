/** Converts the text of messages for Slack, which has a markup of its own, to Markdown. */
import { codeBlock, link, prose, truncate } from "./outside-text.ts";

const MAX_TEXT = 8000;
const CODE_BLOCK = /```([\s\S]*?)(?:```|$)/g;
const CODE_OR_ANGLES = /(`[^`\n]+`)|<([^<>\n]*)>/g;

/** Mentions become plain names: who posts to an address may mention nobody. */
export function slackText(text: string): string {
  const source = truncate(text, MAX_TEXT);
  const parts: string[] = [];
  let done = 0;
  for (const { 0: whole, 1: code = "", index } of source.matchAll(CODE_BLOCK)) {
    parts.push(
      prose(lineText(source.slice(done, index))).trim(),
      codeBlock(decode(code).trim(), "", MAX_TEXT),
    );
    done = index + whole.length;
  }
  parts.push(prose(lineText(source.slice(done))).trim());
  return parts.filter((part) => part !== "").join("\n");
}

function lineText(text: string): string {
  let out = "";
  let done = 0;
  for (const { 0: whole, 1: code, 2: angled = "", index } of text.matchAll(CODE_OR_ANGLES)) {
    out += emphasized(text.slice(done, index)) + (code === undefined ? reference(angled) : decode(code));
    done = index + whole.length;
  }
  return out + emphasized(text.slice(done));
}

/** What stands between angle brackets: `https://…|label`, `@U1|name`, `#C1|name`, `!here`. */
function reference(text: string): string {
  const bar = text.indexOf("|");
  const target = decode(bar < 0 ? text : text.slice(0, bar));
  const label = bar < 0 ? undefined : decode(text.slice(bar + 1));
  const name = label ?? target.slice(1).replace(/\^.*/, "");
  switch (target[0]) {
    case "@":
      return `@${name.replace(/^@/, "")}`;
    case "#":
      return `#${name.replace(/^#/, "")}`;
    case "!":
      return label ?? `@${name}`;
    default:
      return link(label ?? target.replace(/^mailto:/, ""), target);
  }
}

function emphasized(text: string): string {
  const marked = text
    .replace(/(?<![^\s(_~"'])\*([^*\n]+)\*(?![^\s)_~.,:;!?"'])/g, "**$1**")
    .replace(/(?<![^\s(*~"'])_([^_\n]+)_(?![^\s)*~.,:;!?"'])/g, "*$1*")
    .replace(/(?<![^\s(*_"'])~([^~\n]+)~(?![^\s)*_.,:;!?"'])/g, "~~$1~~");
  return decode(marked);
}

function decode(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
