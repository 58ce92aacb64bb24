import { escapeCode } from "../escape.ts";
import { HAS, type InlineRule } from "./phrase.ts";

/**
 * Code between runs of the same number of backticks. A run without a partner may close a shorter run that
 * began inside it. An odd number of backslashes before a run escapes its first backtick. An even number
 * is halved.
 */
export const codeSpan = {
  needs: HAS.backtick,
  apply(text, session) {
    const runs = backtickRuns(text);
    let out = "";
    let done = 0;
    for (let i = 0; i < runs.starts.length; i++) {
      const start = runs.starts[i]!;
      if (start < done) continue;
      let open = start;
      let size = runs.sizes[i]!;
      const slashes = backslashesBefore(text, start, done);
      if (slashes % 2 === 1) {
        open++;
        size--;
      } else if (slashes > 0) {
        out +=
          text.slice(done, start - slashes) +
          session.storePhrase("\\".repeat(slashes / 2), "\\".repeat(slashes / 2));
        done = start;
      }
      const found = closerFor(runs, i, size);
      if (found === null) continue;
      const content = text.slice(open + found.size, found.at);
      out +=
        text.slice(done, open) +
        session.storePhrase(
          `<code>${escapeCode(session.sourceOf(content))}</code>`,
          text.slice(open, found.at + found.size),
        );
      done = found.at + found.size;
    }
    return out + text.slice(done);
  },
} satisfies InlineRule;

interface Runs {
  starts: number[];
  sizes: number[];
  /** For each size, the places where runs of exactly that size begin, in order. */
  bySize: Map<number, number[]>;
}

function backtickRuns(text: string): Runs {
  const runs: Runs = { starts: [], sizes: [], bySize: new Map() };
  let at = text.indexOf("`");
  while (at !== -1) {
    let end = at + 1;
    while (text.charCodeAt(end) === 96) end++;
    runs.starts.push(at);
    runs.sizes.push(end - at);
    const same = runs.bySize.get(end - at);
    if (same === undefined) runs.bySize.set(end - at, [at]);
    else same.push(at);
    at = text.indexOf("`", end);
  }
  return runs;
}

/**
 * The nearest run that closes the opener, whose size may be anything from the whole run down to one backtick.
 */
function closerFor(runs: Runs, opener: number, size: number): { at: number; size: number } | null {
  const start = runs.starts[opener]!;
  for (let trial = size; trial > 0; trial--) {
    const places = runs.bySize.get(trial);
    if (places === undefined || places.at(-1)! <= start) continue;
    return { at: firstAfter(places, start), size: trial };
  }
  return null;
}

function firstAfter(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return sorted[low]!;
}

function backslashesBefore(text: string, index: number, from: number): number {
  let at = index;
  while (at > from && text.charCodeAt(at - 1) === 92) at--;
  return index - at;
}
