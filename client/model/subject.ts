/**
 * One part of the model. It is made from a snapshot and then changes by events alone; each part says itself
 * what it takes from either.
 */
export interface Subject {
  /** What of a snapshot is its business, whether it reads that or knows it from elsewhere. */
  readonly keys: readonly string[];
  readonly handlers: Handlers;
  /**
   * All that a fresh snapshot would tell as well, as plain data: two models of the same state are equal by
   * it.
   */
  comparable(): unknown;
}

/**
 * By the type of the event. Each handler names the declared shape of its own events, hence `never` for them
 * all.
 */
export type Handlers = Readonly<Record<string, (event: never) => void>>;

/** Rows by their id, in the order of the ids. */
export function plainMap<V, R>(map: ReadonlyMap<number, V>, present: (value: V) => R): Record<string, R> {
  return Object.fromEntries([...map].map(([id, value]) => [id, present(value)]));
}

export function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

/**
 * What is not as it must be makes the model useless: an invariant that fails is a bug in it or in the server.
 */
export function invariant(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(`The model contradicts itself: ${sentence}`);
}
