/**
 * How high the rows of views were, so that a view that is opened again is laid out once, at its place. They
 * hold only for the same width. What has changed meanwhile is measured like every row.
 */
import type { KnownHeights } from "./row-heights.ts";

const MAX_KEPT = 30;
const bySource = new Map<string, { width: number; heights: KnownHeights }>();

/** `source`: the key of the view's narrow. `width`: of the window. */
export function keepHeights(source: string, heights: KnownHeights, width: number): void {
  bySource.delete(source);
  bySource.set(source, { width, heights });
  for (const key of bySource.keys()) if (bySource.size > MAX_KEPT) bySource.delete(key);
}

export function keptHeights(source: string, width: number): KnownHeights | undefined {
  const kept = bySource.get(source);
  return kept?.width === width ? kept.heights : undefined;
}
