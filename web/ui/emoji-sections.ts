/** The categories of the picker of emoji as rows of columns, under headings. */
import { type Emoji, findEmoji } from "../../client/autocomplete/emoji.ts";
import type { TextKey } from "../i18n/texts.ts";

export interface EmojiSection {
  /** Without one, the section has no heading. */
  category: string | undefined;
  emoji: readonly Emoji[];
}

export interface EmojiRow {
  /** The row is the heading of this category, and has no emoji. */
  heading?: string;
  /** The place of its first emoji among all. */
  start: number;
  emoji: readonly Emoji[];
}

/** Used lately, then by category; with a text, what it finds. */
export function emojiSections(
  all: readonly Emoji[],
  text: string,
  recent: readonly string[],
): readonly EmojiSection[] {
  if (text !== "") return [{ category: undefined, emoji: findEmoji(all, text, recent) }];
  if (all.length === 0) return [];
  const byCode = new Map(all.map((emoji) => [emoji.code, emoji]));
  const lately = { category: "recent", emoji: recent.flatMap((code) => byCode.get(code) ?? []) };
  const categories = [...new Set(all.map(({ category }) => category))];
  const inCategory = (wanted: string) => all.filter(({ category }) => category === wanted);
  return [lately, ...categories.map((category) => ({ category, emoji: inCategory(category) }))];
}

export function emojiRows(sections: readonly EmojiSection[], columns: number): readonly EmojiRow[] {
  const rows: EmojiRow[] = [];
  let start = 0;
  for (const { category, emoji } of sections) {
    if (category !== undefined) rows.push({ heading: category, start, emoji: [] });
    for (let from = 0; from < emoji.length; from += columns)
      rows.push({ start: start + from, emoji: emoji.slice(from, from + columns) });
    start += emoji.length;
  }
  return rows;
}

export function rowOf(rows: readonly EmojiRow[], at: number): number {
  return rows.findIndex(({ start, emoji }) => at >= start && at < start + emoji.length);
}

/** The emoji above or below. The last row of a category may be shorter. */
export function beside(rows: readonly EmojiRow[], at: number, by: number): number {
  const from = rowOf(rows, at);
  const way = Math.sign(by);
  let to = from + way;
  while (rows[to]?.heading !== undefined) to += way;
  const [old, found] = [rows[from], rows[to]];
  if (!old || !found) return at;
  return found.start + Math.min(at - old.start, found.emoji.length - 1);
}

export function categoryLabel(category: string): TextKey {
  return `emoji.category.${category}` as TextKey;
}
