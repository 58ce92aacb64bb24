import type { EventDeclaration, FieldsOf } from "../../../api/event.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";

/** Writes a variant of an entry's JSON once, however many queues get it. */
export function rawVariant(
  entry: LogEntry,
  number: number,
  payload: () => Record<string, unknown>,
): Delivery {
  let delivery = entry.variants[number];
  if (!delivery) {
    delivery = { position: entry.position, json: JSON.stringify({ ...payload(), id: entry.position }) };
    entry.variants[number] = delivery;
  }
  return delivery;
}

/** The same for a variant that only some recipients get, told apart by a text. */
export function rareRawVariant(
  entry: LogEntry,
  key: string,
  payload: () => Record<string, unknown>,
): Delivery {
  entry.rareVariants ??= new Map();
  let delivery = entry.rareVariants.get(key);
  if (!delivery) {
    delivery = { position: entry.position, json: JSON.stringify({ ...payload(), id: entry.position }) };
    entry.rareVariants.set(key, delivery);
  }
  return delivery;
}

/**
 * The form of an entry that some queues get, as a declared event. It is written once for each `number`, for all queues that
 * get it.
 */
export function variant<D extends EventDeclaration>(
  entry: LogEntry,
  number: number,
  { type, op }: D,
  fields: () => FieldsOf<D>,
): Delivery {
  return rawVariant(entry, number, () => ({ type, ...(op !== undefined && { op }), ...fields() }));
}

/** A form that few recipients get, told apart by a text. */
export function rareVariant<D extends EventDeclaration>(
  entry: LogEntry,
  key: string,
  { type, op }: D,
  fields: () => FieldsOf<D>,
): Delivery {
  return rareRawVariant(entry, key, () => ({ type, ...(op !== undefined && { op }), ...fields() }));
}

/** The entry as it was appended: for a serializer that leaves some queues out. */
export function asAppended(entry: LogEntry): Delivery {
  return rawVariant(entry, 0, () => entry.payload);
}
