/**
 * Sets of ids as sorted intervals that neither overlap nor touch. PostgreSQL stores them as `int8multirange`.
 */

/** The ids with from <= id < to. */
export interface Interval {
  from: number;
  to: number;
}

/** Parses what PostgreSQL gives: `{[1,5),[7,9)}`. Every interval has both ends. */
export function parseIntervals(text: string): Interval[] {
  return Array.from(text.matchAll(/\[(\d+),(\d+)\)/g), ([, from, to]) => ({
    from: Number(from),
    to: Number(to),
  }));
}

export function formatIntervals(intervals: readonly Interval[]): string {
  return `{${intervals.map(({ from, to }) => `[${from},${to})`).join()}}`;
}

export function intervalsOfIds(ids: readonly number[]): Interval[] {
  return ids.map((id) => ({ from: id, to: id + 1 }));
}

/** The ids that are in any of these intervals, which may come in any order and overlap. */
export function union(intervals: readonly Interval[]): Interval[] {
  const joined: Interval[] = [];
  for (const { from, to } of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (from >= to) continue;
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The ids that are in both. */
export function intersection(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  for (let at = 0, other = 0; at < some.length && other < others.length; ) {
    const [one, two] = [some[at] as Interval, others[other] as Interval];
    const shared = { from: Math.max(one.from, two.from), to: Math.min(one.to, two.to) };
    if (shared.from < shared.to) both.push(shared);
    if (one.to < two.to) at++;
    else other++;
  }
  return both;
}

export function without(intervals: readonly Interval[], removed: Interval): Interval[] {
  return intervals.flatMap(({ from, to }) =>
    [
      { from, to: Math.min(to, removed.from) },
      { from: Math.max(from, removed.to), to },
    ].filter((part) => part.from < part.to),
  );
}

export function hasId(intervals: readonly Interval[], id: number): boolean {
  return intervals.some(({ from, to }) => from <= id && id < to);
}

export function overlaps(intervals: readonly Interval[], other: Interval): boolean {
  return intervals.some(({ from, to }) => from < other.to && other.from < to);
}

/** Joins the lowest intervals until at most `count` are left. */
export function atMost(intervals: readonly Interval[], count: number): Interval[] {
  const joined = intervals.slice(0, Math.max(1, intervals.length - count + 1));
  const [first, last] = [joined[0], joined.at(-1)];
  return first && last ? [{ from: first.from, to: last.to }, ...intervals.slice(joined.length)] : [];
}
