/** The order of a list that its buttons change. The list shows the new order at once. */
import { createWanted } from "./wanted.ts";

export interface Order {
  ids(): readonly number[];
  /** Moves one by a number of places. */
  move(id: number, by: number): Promise<void>;
}

export function moved(ids: readonly number[], id: number, by: number): number[] {
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return [...ids];
  const rest = ids.filter((other) => other !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}

/** `save` gives whether it succeeded. */
export function createOrder(
  stored: () => readonly number[],
  save: (ids: readonly number[]) => Promise<boolean>,
): Order {
  const wanted = createWanted(stored);
  return {
    ids: wanted.value,
    move: (id, by) => {
      const next = moved(wanted.value(), id, by);
      return wanted.change(next, () => save(next));
    },
  };
}
