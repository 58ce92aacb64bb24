/** Names of a source as they are stored here: cut, made free, and without what a name may not have. */
import { foldName } from "../../../api/fold-name.ts";
import { normalizeName, withoutHidden } from "../../../api/hidden-characters.ts";

const CUT = "…";

/** At most `limit` characters, the last one an ellipsis if something is cut. */
export function cutTo(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}${CUT}`;
}

/** A line without characters that can't be seen. */
export function plainLine(text: string): string {
  return normalizeName(withoutHidden(text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " "))).trim();
}

/** Names that are equal to nobody else's, ignoring case. */
export class FreeNames {
  readonly #taken = new Set<string>();
  /** Where to go on for a name that was given before, or thousands of equal names take quadratic time. */
  readonly #next = new Map<string, number>();

  take(name: string, limit: number): string {
    const first = cutTo(name, limit);
    const folded = foldName(first);
    let free = first;
    let number = this.#next.get(folded) ?? 2;
    for (; this.#taken.has(foldName(free)); number++) {
      const suffix = ` (${number})`;
      free = `${cutTo(name, limit - suffix.length)}${suffix}`;
    }
    if (free !== first) this.#next.set(folded, number);
    this.#taken.add(foldName(free));
    return free;
  }
}
