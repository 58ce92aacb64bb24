/** Whether two lists have the same elements in the same order. */
export function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
