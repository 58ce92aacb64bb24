/**
 * One organization-defined pattern, compiled by an engine that runs in linear time (see `linkifier-re2.ts`).
 */
export interface Linkifier {
  /**
   * The first match at or after `from`: its place in the text and its target. Subtracts its cost from `work`;
   * if `work` is too small, it becomes 0 and there is no match.
   */
  find(text: string, from: number, work: LinkWork): { start: number; end: number; url: string } | null;
}

/**
 * The remaining budget for matching: characters that are looked at, each times the size of the pattern's
 * program.
 */
export interface LinkWork {
  left: number;
}

/**
 * The budget for all linkifiers of an organization in one text: some 50 ms for the most expensive patterns.
 * It is counted, not timed, because a text must become the same HTML whatever the machine's load.
 */
const MAX_LINK_WORK = 8_000_000;

export function linkWork(): LinkWork {
  return { left: MAX_LINK_WORK };
}
