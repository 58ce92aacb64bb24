/**
 * One part of the model. It is made from a snapshot and then changed by events alone. Each part says what it
 * takes from either.
 */
export interface Subject {
  /** The snapshot keys that it covers, whether it reads them or knows their values from elsewhere. */
  readonly keys: readonly string[];
  readonly handlers: Handlers;
  /**
   * Everything that a fresh snapshot would contain, as plain data. Two models of one state have equal data.
   */
  comparable(): unknown;
  /**
   * The keys that changed since the last call. A subject without it has changed as a whole with each event
   * that it handles.
   */
  takeChanged?(): readonly string[];
}

/** What a model needs to know of a setting's declaration. */
export interface Setting<V> {
  readonly name: string;
  readonly default: V;
}

/** Handlers by event type. Each names the declared shape of its own events, hence `never` for all of them. */
export type Handlers = Readonly<Record<string, (event: never) => void>>;

/** Rows by ID, in ascending order. */
export function plainMap<V, R>(map: ReadonlyMap<number, V>, present: (value: V) => R): Record<string, R> {
  return Object.fromEntries([...map].map(([id, value]) => [id, present(value)]));
}

export function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

/** An invariant that fails is a bug in the model or in the server, and makes the model useless. */
export function invariant(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(`The model contradicts itself: ${sentence}`);
}
