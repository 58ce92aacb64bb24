import type { EventDeclaration, FieldsOf } from "../../../api/event.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";

/** Serializes a variant of an entry once, however many queues receive it. */
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

/** `rawVariant` for a variant that only some recipients get. A text key identifies it. */
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

/** A variant of an entry as a declared event. All queues that get the variant `number` share one text. */
export function variant<D extends EventDeclaration>(
  entry: LogEntry,
  number: number,
  { type, op }: D,
  fields: () => FieldsOf<D>,
): Delivery {
  return rawVariant(entry, number, () => ({ type, ...(op !== undefined && { op }), ...fields() }));
}

/** `variant` for a variant that only some recipients get. A text key identifies it. */
export function rareVariant<D extends EventDeclaration>(
  entry: LogEntry,
  key: string,
  { type, op }: D,
  fields: () => FieldsOf<D>,
): Delivery {
  return rareRawVariant(entry, key, () => ({ type, ...(op !== undefined && { op }), ...fields() }));
}

/** The entry as it was appended, for a serializer that only excludes some queues. */
export function asAppended(entry: LogEntry): Delivery {
  return rawVariant(entry, 0, () => entry.payload);
}
