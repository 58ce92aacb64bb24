/**
 * How high the rows of views were, so that a view that is opened again is laid out once, at its place. Only
 * for the same rows in the same width. What has changed meanwhile is measured like every row.
 */
import type { VirtualizerHandle } from "virtua/solid";
import type { Row } from "./rows.ts";

type CacheSnapshot = VirtualizerHandle["cache"];

interface Sizes {
  width: number;
  keys: readonly string[];
  sizes: CacheSnapshot;
}

const MAX_VIEWS = 30;
const bySource = new Map<string, Sizes>();

/** `source`: the key of the view's narrow. */
export function keepSizes(
  source: string,
  rows: readonly Row[],
  handle: VirtualizerHandle,
  width: number,
): void {
  bySource.delete(source);
  bySource.set(source, { width, keys: rows.map(({ key }) => key), sizes: handle.cache });
  for (const key of bySource.keys()) if (bySource.size > MAX_VIEWS) bySource.delete(key);
}

export function sizesOf(source: string, rows: readonly Row[], width: number): CacheSnapshot | undefined {
  const known = bySource.get(source);
  const isSame = known && known.width === width && known.keys.every((key, at) => rows[at]?.key === key);
  return isSame ? known.sizes : undefined;
}
