/** One organization-defined pattern, compiled by an engine that runs in linear time (see `linkifier-re2.ts`). */
export interface Linkifier {
  /** The first match at or after `from`: where it lies in the text and where it leads. */
  find(text: string, from: number): { start: number; end: number; url: string } | null;
}
