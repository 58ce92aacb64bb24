import type { EventDeclaration, FieldsOf } from "../../../api/event.ts";

/**
 * An event whose entry in the log holds other fields than the event that clients get: an `EventSerializer` makes the
 * declared forms of it. `F` is what the entry holds.
 */
export interface StoredEvent<F extends object> {
  type: string;
  op: string | undefined;
  /** Never set: it only carries the type of the fields. */
  fields?: F;
}

/** `storedEvent<Fields>()(declaration)`: the type and op of a declared event with stored fields of its own. */
export function storedEvent<F extends object>() {
  return ({ type, op }: Pick<EventDeclaration, "type" | "op">): StoredEvent<F> => ({ type, op });
}

/** The fields that an entry of this event holds. */
export type StoredFields<E> = E extends EventDeclaration
  ? FieldsOf<E>
  : E extends StoredEvent<infer F>
    ? F
    : never;
