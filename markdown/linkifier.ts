/**
 * One organization-defined pattern, compiled by an engine that runs in linear time (see `linkifier-re2.ts`).
 */
export interface Linkifier {
  /**
   * The first match at or after `from`: where it lies in the text and where it leads. Takes what it cost from
   * `work`; where that does not suffice, nothing of it is left and no match is found.
   */
  find(text: string, from: number, work: LinkWork): { start: number; end: number; url: string } | null;
}

/**
 * What looking for patterns may still cost: characters that are looked at, each times the size of the
 * pattern's program.
 */
export interface LinkWork {
  left: number;
}

/**
 * For all of an organization's patterns in one text: at most some 50 ms, where they are as dear as patterns
 * can be. Counted instead of timed, since a text must become the same HTML whatever else the machine does
 * meanwhile.
 */
const MAX_LINK_WORK = 8_000_000;

export function linkWork(): LinkWork {
  return { left: MAX_LINK_WORK };
}
