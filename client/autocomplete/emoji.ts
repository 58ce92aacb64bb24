/** Finds emoji by what people type of their names. */
import { fold } from "./fold.ts";

export interface Emoji {
  /** The first one is what messages and reactions have. */
  names: readonly string[];
  /** Code points, or the id of a custom one. */
  code: string;
  type: "unicode_emoji" | "realm_emoji";
  /** As the server's table names it; those of the organization are `custom`. */
  category: string;
  /** The address of a custom one's picture. */
  picture: string | undefined;
}

/**
 * Names that begin with the text come before those with a word that does, and those before the rest. Within
 * these, emoji that were used lately come first, then shorter names.
 */
export function findEmoji(
  all: readonly Emoji[],
  text: string,
  recent: readonly string[],
  limit = all.length,
): Emoji[] {
  const wanted = fold(text).replace(/[\s-]+/g, "_");
  if (wanted === "") return all.slice(0, limit);
  const used = new Map(recent.map((code, at) => [code, at]));
  const found: { emoji: Emoji; rank: number; length: number }[] = [];
  for (const emoji of all) {
    let best: { rank: number; length: number } | undefined;
    for (const name of emoji.names) {
      const rank = rankOf(name, wanted);
      if (rank < 3 && (!best || rank < best.rank)) best = { rank, length: name.length };
    }
    if (best) found.push({ emoji, ...best });
  }
  const usedAt = ({ emoji }: { emoji: Emoji }) => used.get(emoji.code) ?? recent.length;
  return found
    .sort((a, b) => a.rank - b.rank || usedAt(a) - usedAt(b) || a.length - b.length)
    .slice(0, limit)
    .map(({ emoji }) => emoji);
}

function rankOf(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0;
  if (name.includes(`_${wanted}`)) return 1;
  return name.includes(wanted) ? 2 : 3;
}
