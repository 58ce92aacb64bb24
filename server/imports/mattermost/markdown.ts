/**
 * Mattermost's Markdown as ours. Its blocks are told apart line by line: code stays as it is, in a fence that
 * is one here too. What is written otherwise here is rewritten: titles that are underlined, quotes of code,
 * tables behind a line of text.
 */
import { codeBlock } from "../texts/code-block.ts";
import { type Writer, writeInline } from "./inline.ts";

const FENCE = /^( {0,8})(`{3,}|~{3,})([^`]*)$/;
const QUOTED = /^ {0,3}> ?/;
const INDENTED = /^(?: {4}|\t)/;
const RULE = /^ {0,3}([-_*])(?: {0,2}\1){2,} *$/;
const UNDERLINE = /^ {0,3}(={2,}|-{2,}) *$/;
const SEPARATOR = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$|^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)+\|?$/;
const ITEM = /^( {0,12})(?:[-*+]|\d{1,9}([.)])) +/;
const MAX_QUOTES = 8;
/** Such blocks are none of code here. */
const NO_CODE = new Set(["quote", "quoted", "spoiler", "math"]);
const LANGUAGE = /^[a-zA-Z0-9_+\-./#]{1,40}$/;
/** What begins a poll, a list or a message about oneself here. */
const COMMAND = /^\s*\/(?=(?:poll|todo|me)(?:\s|$))/;

export function convertMarkdown(text: string, writer: Writer): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  return new Converter(lines, writer, 0).convert().replace(COMMAND, "&#47;");
}

class Converter {
  readonly #lines: readonly string[];
  readonly #writer: Writer;
  readonly #depth: number;
  readonly #out: string[] = [];
  #paragraph: string[] = [];
  #isInList = false;

  constructor(lines: readonly string[], writer: Writer, depth: number) {
    this.#lines = lines;
    this.#writer = writer;
    this.#depth = depth;
  }

  convert(): string {
    for (let at = 0; at < this.#lines.length; ) at = this.#block(at);
    this.#flush();
    return this.#out.join("\n");
  }

  #flush(): void {
    if (this.#paragraph.length > 0) this.#out.push(writeInline(this.#paragraph.join("\n"), this.#writer));
    this.#paragraph = [];
  }

  /** Where the next block begins. */
  #block(at: number): number {
    const line = this.#lines[at] as string;
    if (line.trim() === "") {
      this.#flush();
      this.#out.push("");
      return at + 1;
    }
    const isFirst = this.#paragraph.length === 0;
    if (isFirst && !this.#isInList && INDENTED.test(line)) return this.#indentedCode(at);
    const fence = FENCE.exec(line);
    if (fence) return this.#fencedCode(at, fence);
    if (this.#depth < MAX_QUOTES && QUOTED.test(line)) return this.#quote(at);
    if (line.includes("|") && SEPARATOR.test(this.#lines[at + 1] ?? "")) return this.#table(at);
    if (!isFirst && UNDERLINE.test(line)) return this.#title(at);
    if (RULE.test(line)) {
      this.#flush();
      this.#out.push(line);
      return at + 1;
    }
    const item = ITEM.exec(line);
    if (item) this.#isInList = true;
    else if (!/^\s/.test(line) && isFirst) this.#isInList = false;
    // Here only a dot follows a number.
    this.#paragraph.push(item?.[2] === ")" ? line.replace(")", ".") : line);
    return at + 1;
  }

  #indentedCode(start: number): number {
    let end = start;
    while (
      end < this.#lines.length &&
      (INDENTED.test(this.#lines[end] ?? "") || this.#lines[end]?.trim() === "")
    )
      end++;
    while (this.#lines[end - 1]?.trim() === "") end--;
    for (const line of this.#lines.slice(start, end)) this.#out.push(line.replace(/^\t/, "    "));
    return end;
  }

  /** Without an end it is code to the end of the text. */
  #fencedCode(start: number, [, indent = "", mark = "", info = ""]: RegExpExecArray): number {
    this.#flush();
    const isEnd = (line: string) => {
      const end = line.trim();
      return end.length >= mark.length && end === (mark[0] as string).repeat(end.length);
    };
    let end = start + 1;
    while (end < this.#lines.length && !isEnd(this.#lines[end] as string)) end++;
    const code = this.#lines.slice(start + 1, end).map((line) => withoutIndent(line, indent.length));
    this.#out.push(codeBlock(code.join("\n"), languageOf(info)));
    return end + 1;
  }

  #quote(start: number): number {
    this.#flush();
    let end = start;
    while (end < this.#lines.length && QUOTED.test(this.#lines[end] ?? "")) end++;
    const inner = this.#lines.slice(start, end).map((line) => line.replace(QUOTED, ""));
    const text = new Converter(inner, this.#writer, this.#depth + 1).convert();
    // Here code in a quote needs a quote with a fence.
    if (/^`{3,}/m.test(text)) this.#out.push(codeBlock(text, "quote"));
    else this.#out.push(...text.split("\n").map((line) => (line === "" ? ">" : `> ${line}`)));
    return end;
  }

  /** Here a table is a block of its own. */
  #table(start: number): number {
    const isBehindText = this.#paragraph.length > 0 || (this.#out.at(-1) ?? "") !== "";
    this.#flush();
    if (isBehindText) this.#out.push("");
    let end = start;
    while (end < this.#lines.length && this.#lines[end]?.trim() !== "") {
      const line = this.#lines[end] as string;
      this.#out.push(end === start + 1 ? line : writeInline(line, this.#writer));
      end++;
    }
    return end;
  }

  /** A line of text with a line below it. */
  #title(at: number): number {
    const text = this.#paragraph.at(-1) as string;
    if (ITEM.test(text)) {
      this.#flush();
      this.#out.push(this.#lines[at] as string);
      return at + 1;
    }
    this.#paragraph.pop();
    this.#flush();
    const level = this.#lines[at]?.includes("=") ? "#" : "##";
    this.#out.push(`${level} ${writeInline(text.trim(), this.#writer)}`);
    return at + 1;
  }
}

function withoutIndent(line: string, size: number): string {
  let start = 0;
  while (start < size && line[start] === " ") start++;
  return line.slice(start);
}

function languageOf(info: string): string {
  const [language = ""] = info.trim().split(/\s/);
  if (NO_CODE.has(language.toLowerCase())) return "text";
  return LANGUAGE.test(language) ? language : "";
}
