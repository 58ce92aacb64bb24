/** Whether a name matches a pattern as shells have them: `*`, `?`, `[abc]` and `[!a-z]`. */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  let at = 0;
  let part = 0;
  // Where the last star is, and how much of the name it takes. No earlier star is tried again, so the time
  // is bounded by the product of the lengths.
  let star = -1;
  let taken = 0;
  while (at < name.length) {
    const current = parts[part];
    if (current === "*") {
      star = part++;
      taken = at;
    } else if (typeof current === "function" && current(name[at] as string)) {
      at++;
      part++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++taken;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === "*");
}

/**
 * Whether an event is wanted: it matches one of `only`, if these are given, and none of `exclude`.
 */
export function isWanted(
  name: string,
  only: readonly string[] | undefined,
  exclude: readonly string[] | undefined,
): boolean {
  const matches = (pattern: string) => matchesPattern(name, pattern);
  return (only === undefined || only.some(matches)) && !exclude?.some(matches);
}

type Part = "*" | ((character: string) => boolean);

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    const end = character === "[" ? endOfSet(pattern, at) : -1;
    if (character === "*") parts.push("*");
    else if (character === "?") parts.push(() => true);
    else if (end < 0) parts.push((one) => one === character);
    else {
      parts.push(setOf(pattern.slice(at + 1, end)));
      at = end;
    }
  }
  return parts;
}

/** A bracket that comes first in a set belongs to it. -1: the set has no end, so it is a plain bracket. */
function endOfSet(pattern: string, start: number): number {
  const first = pattern[start + 1] === "!" ? start + 2 : start + 1;
  return pattern.indexOf("]", first + 1);
}

function setOf(text: string): (character: string) => boolean {
  const isInverse = text.startsWith("!");
  const members = isInverse ? text.slice(1) : text;
  return (character) => {
    let isIn = false;
    for (let at = 0; at < members.length; at++) {
      const isRange = members[at + 1] === "-" && at + 2 < members.length;
      const last = isRange ? (members[at + 2] as string) : (members[at] as string);
      if (character >= (members[at] as string) && character <= last) isIn = true;
      if (isRange) at += 2;
    }
    return isIn !== isInverse;
  };
}
