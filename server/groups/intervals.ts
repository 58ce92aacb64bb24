/**
 * Between which positions of the log something held, as lists. All positions are those of changes of
 * groups, so no message lies on a bound.
 */
export interface Interval {
  /** 0: since the beginning. */
  from: number;
  /** `Infinity`: until now. */
  to: number;
  /**
   * It counts for messages from this time on, in UNIX milliseconds. 0 but for members past the waiting
   * period: time alone makes them so, and no entry of the log.
   */
  since: number;
}

export function intersect(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const found: Interval[] = [];
  for (const interval of some) {
    for (const other of others) {
      const from = Math.max(interval.from, other.from);
      const to = Math.min(interval.to, other.to);
      if (from < to) found.push({ from, to, since: Math.max(interval.since, other.since) });
    }
  }
  return found;
}

/** In one order, and without overlaps of intervals that count from the same time on. */
export function union(intervals: readonly Interval[]): Interval[] {
  const found: Interval[] = [];
  for (const each of [...intervals].sort((a, b) => a.since - b.since || a.from - b.from)) {
    const last = found.at(-1);
    if (last?.since === each.since && each.from <= last.to) last.to = Math.max(last.to, each.to);
    else found.push({ ...each });
  }
  return found;
}

export function isSame(some: readonly Interval[], others: readonly Interval[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ from, to, since }, index) => {
      const other = others[index];
      return from === other?.from && to === other.to && since === other.since;
    })
  );
}
