import type { EventDeclaration, FieldsOf } from "../../../api/event.ts";
import type { EventPayload } from "./log-entry.ts";

/**
 * An event whose entry in the log holds other fields than the event that clients receive. An
 * `EventSerializer` makes the declared forms from the entry. `F` is the type of the entry's fields.
 */
export interface StoredEvent<F extends object> {
  type: string;
  op: string | undefined;
  /** Never set. It only carries the type of the fields. */
  fields?: F;
}

/**
 * `storedEvent<Fields>()(declaration)`: the type and op of a declared event, with other fields in the log.
 */
export function storedEvent<F extends object>() {
  return ({ type, op }: Pick<EventDeclaration, "type" | "op">): StoredEvent<F> => ({ type, op });
}

/** The fields that an entry of this event holds. */
export type StoredFields<E> = E extends EventDeclaration
  ? FieldsOf<E>
  : E extends StoredEvent<infer F>
    ? F
    : never;

/** What an entry of this event holds, as `append` was given it; undefined for an entry of another event. */
export function storedFields<F extends object>(
  { type, op }: StoredEvent<F>,
  payload: EventPayload,
): F | undefined {
  return payload.type === type && payload.op === op ? (payload as unknown as F) : undefined;
}
