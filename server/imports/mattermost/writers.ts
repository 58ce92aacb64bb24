/** What becomes of the things in a text: Markdown of ours, or words alone. */
import { link } from "../texts/link.ts";
import { reference } from "../texts/references.ts";
import { standardEmoji } from "./emoji.ts";
import { type Writer, writeInline } from "./inline.ts";

const EVERYBODY = /^(?:all|channel|here)$/i;
const ALONE = /(?<!\*)\*(?!\*)/;
/** Marks around words, which the scanner leaves as they are. */
const STARS = /(?<![\p{L}\p{N}])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\p{L}\p{N}])|~~/gu;
const LINE_START = /^\s*(?:#{1,6} +|>+ ?|[-*+] +|\d{1,9}[.)] +)*/;
/** These mean nothing in Markdown here, whatever stands around them. */
const PLAIN = /[_(){}!.+-]/;

/** What a text may refer to. */
export interface References {
  isPerson(username: string): boolean;
  /** The id of the channel that a text at this place names. */
  channelOf(name: string): string | undefined;
  isCustomEmoji(name: string): boolean;
  /** The id of the channel that an address of the source itself leads to. */
  channelAt(address: string): { id: string; name: string } | undefined;
  /** Counts what stays as it is. */
  lost(reason: string, example: string): void;
}

export function markdownWriter(references: References): Writer {
  return {
    text: (text) => text,
    literal: (character) => (PLAIN.test(character) ? character : `&#${character.charCodeAt(0)};`),
    code: (source) => source,
    emphasis(inner, size) {
      const isMixed = size === 2 ? inner.includes("**") : ALONE.test(inner);
      return isMixed || inner.includes("\n") ? undefined : `${"*".repeat(size)}${inner}${"*".repeat(size)}`;
    },
    link(address, label) {
      const words = plainOf(label);
      const channel = references.channelAt(address);
      if (channel) return reference("c", channel.id, words === "" ? channel.name : words);
      if (label === "") return address.replace(/^mailto:/i, "");
      return link(address, words);
    },
    mention(given) {
      const name = given.toLowerCase();
      if (references.isPerson(name)) return reference("p", name, name);
      if (EVERYBODY.test(name)) return "@_**all**";
      if (!/[_.:-]$/.test(name))
        references.lost("mentions of nobody in the archive stay as they are", `@${name}`);
      return undefined;
    },
    channel(name) {
      const id = references.channelOf(name.toLowerCase());
      return id === undefined ? undefined : reference("c", id, name);
    },
    emoji(name) {
      if (references.isCustomEmoji(name)) return `:${name}:`;
      const emoji = standardEmoji(name);
      return emoji && `:${emoji.emojiName}:`;
    },
  };
}

const wordWriter: Writer = {
  text: (text) => text.replace(STARS, ""),
  literal: (character) => character,
  code: (source) => source.replace(/^`+ ?| ?`+$/g, ""),
  emphasis: (inner) => inner,
  link: (address, label) => plainOf(label) || address,
  mention: (name) => `@${name}`,
  channel: (name) => `~${name}`,
  emoji: (name) => `:${name}:`,
};

function plainOf(text: string): string {
  return writeInline(text, wordWriter);
}

/** The first line of a text that has words, without marks. */
export function firstWords(text: string): string {
  for (const line of text.slice(0, 1000).split("\n")) {
    if (/^\s*(?:`{3,}|~{3,}|[-=_*|:\s]+$)/.test(line)) continue;
    const words = plainOf(line.replace(LINE_START, "")).trim();
    if (words !== "") return words;
  }
  return "";
}
