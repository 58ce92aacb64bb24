/**
 * The shape of an inline rule. Rules run in one fixed order over the whole text of a block, each leaving
 * markers for later ones.
 */
import type { Session } from "../session.ts";

/** Kinds of characters a text holds; a rule runs only where those it needs occur. */
export const HAS = {
  backtick: 1,
  star: 2,
  at: 4,
  dollar: 8,
  hash: 16,
  less: 32,
  bracket: 64,
  dot: 128,
  colon: 256,
  tilde: 512,
  unicode: 1024,
  semicolon: 2048,
  /** Set wherever the organization has patterns of its own. */
  linkifiers: 4096,
} as const;

export interface InlineRule {
  /** Any of these must occur. */
  readonly needs: number;
  apply(text: string, session: Session, inner: (text: string) => string): string;
}

const KINDS = new Uint16Array(128);
for (const [characters, kind] of [
  ["`", HAS.backtick],
  ["*", HAS.star],
  ["@", HAS.at],
  ["$", HAS.dollar],
  ["#", HAS.hash],
  ["<", HAS.less],
  ["[", HAS.bracket],
  [".", HAS.dot],
  [":", HAS.colon],
  ["~", HAS.tilde],
  [";", HAS.semicolon],
] as const) {
  KINDS[characters.charCodeAt(0)] = kind;
}

export function kindsIn(text: string): number {
  let kinds = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    kinds |= code < 128 ? KINDS[code]! : HAS.unicode;
  }
  return kinds;
}

/** Whether the text before `index` allows a mention or link to begin there. */
export function beginsAfter(text: string, index: number, openers: string): boolean {
  if (index === 0) return true;
  const before = text[index - 1]!;
  return openers.includes(before) || isSpace(before);
}

export function isSpace(character: string): boolean {
  return character === " " || character === "\n" || (character > "~" && /\s/.test(character));
}
