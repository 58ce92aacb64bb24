/** Whether two lists have the same elements in the same order. */
export function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** The new list, with the former objects where the keys are equal. So the elements of an object stay. */
export function keepSame<T>(before: readonly T[], now: readonly T[], keyOf: (item: T) => string): T[] {
  const known = new Map(before.map((item) => [keyOf(item), item]));
  return now.map((item) => known.get(keyOf(item)) ?? item);
}
