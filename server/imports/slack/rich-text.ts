/** Texts that Slack keeps as blocks, and those of bots. */
import { isRow, numberOf, type Row, textOf } from "../archive/row.ts";
import { convertAttachments, rowsOf } from "../texts/attachments.ts";
import { codeBlock } from "../texts/code-block.ts";
import { unicodeEmoji } from "../texts/emoji.ts";
import { escaped } from "../texts/escaped.ts";
import { reference } from "../texts/references.ts";
import { convertMrkdwn, slackLink, withoutBreaks, withPlainStarts } from "./mrkdwn.ts";

const MAX_INDENT = 8;

/** undefined: there is no rich text in these blocks. */
export function convertRichText(blocks: unknown): string | undefined {
  const parts = rowsOf(blocks)
    .filter(({ type }) => type === "rich_text")
    .flatMap(({ elements }) => rowsOf(elements).map((block) => ({ block, text: convertBlock(block) })))
    .filter(({ text }) => text !== "");
  if (parts.length === 0) return undefined;
  return parts
    .map(({ block, text }, index) => `${index === 0 ? "" : between(parts[index - 1]?.block, block)}${text}`)
    .join("");
}

/** A line without a mark continues a list or a quote, unless an empty line ends it. */
function between(before: Row | undefined, after: Row): string {
  const isOpen = before?.type === "rich_text_list" || before?.type === "rich_text_quote";
  return isOpen && after.type === "rich_text_section" ? "\n\n" : "\n";
}

function convertBlock(block: Row): string {
  switch (block.type) {
    case "rich_text_list":
      return convertList(block);
    case "rich_text_quote":
      return withPlainStarts(inline(block))
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "rich_text_preformatted":
      return codeBlock(
        withoutBreaks(
          rowsOf(block.elements)
            .map((leaf) => textOf(leaf, "text") ?? textOf(leaf, "url") ?? "")
            .join(""),
        ),
      );
    default:
      return withPlainStarts(inline(block).replace(/\n$/, ""));
  }
}

function convertList(block: Row): string {
  const indent = Math.min(MAX_INDENT, Math.max(0, Math.trunc(numberOf(block, "indent") ?? 0)));
  return rowsOf(block.elements)
    .map((item, index) => {
      const bullet = block.style === "ordered" ? `${index + 1}. ` : "* ";
      return `${"  ".repeat(indent)}${bullet}${inline(item).replaceAll("\n", " ")}`;
    })
    .join("\n");
}

function inline({ elements }: Row): string {
  return rowsOf(elements).map(convertLeaf).join("");
}

function convertLeaf(leaf: Row): string {
  const text = textOf(leaf, "text") ?? "";
  switch (leaf.type) {
    case "text":
      return styled(text, isRow(leaf.style) ? leaf.style : {});
    case "link":
      return slackLink(textOf(leaf, "url") ?? "", text);
    case "emoji":
      return `:${unicodeEmoji(textOf(leaf, "name") ?? "")?.emojiName ?? escaped(textOf(leaf, "name") ?? "")}:`;
    case "user":
      return reference("p", textOf(leaf, "user_id") ?? "", "");
    case "channel":
      return reference("c", textOf(leaf, "channel_id") ?? "", "");
    case "broadcast":
      return "@_**all**";
    case "date": {
      const seconds = numberOf(leaf, "timestamp");
      const isTime = seconds !== undefined && seconds > 0 && seconds < 1e11;
      return isTime ? `<time:${new Date(seconds * 1000).toISOString()}>` : (textOf(leaf, "fallback") ?? "");
    }
    case "usergroup":
      return `@${escaped(textOf(leaf, "usergroup_id") ?? "group")}`;
    default:
      return escaped(text || (textOf(leaf, "value") ?? ""));
  }
}

/** Marks must not have blanks inside their ends. */
function styled(text: string, style: Row): string {
  const middle = text.trim();
  if (middle === "") return text;
  const start = text.length - text.trimStart().length;
  const [before, after] = [text.slice(0, start), text.slice(start + middle.length)];
  if (style.code === true) return middle.includes("`") ? escaped(text) : `${before}\`${middle}\`${after}`;
  let inner = escaped(middle);
  if (!middle.includes("\n")) {
    if (style.strike === true) inner = `~~${inner}~~`;
    if (style.italic === true) inner = `*${inner}*`;
    if (style.bold === true) inner = `**${inner}**`;
  }
  return `${before}${inner}${after}`;
}

/** The blocks of bots, which have a text in place of the message's. */
export function convertBotBlocks(message: Row): string[] {
  const parts: string[] = [];
  for (const block of rowsOf(message.blocks)) {
    const texts = [block.text, ...rowsOf(block.elements), ...rowsOf(block.fields)].filter(isRow);
    if (block.type === "rich_text") continue;
    for (const each of texts) {
      const inner = isRow(each.text) ? each.text : each;
      const text = textOf(inner, "text");
      if (text) parts.push(convertMrkdwn(text));
    }
  }
  return parts.filter((part) => part !== "");
}

/** The attachments of bots, which have a text beside the message's. */
export function convertBotAttachments(message: Row): string[] {
  return convertAttachments(message.attachments, { convert: convertMrkdwn, link: slackLink });
}
