import type { EventDeclaration, FieldsOf } from "../../../api/event.ts";
import type { Delivery, LogEntry } from "../log/log-entry.ts";

/** A variant of an entry as a declared event. All queues that get the variant `number` share one text. */
export function variant<D extends EventDeclaration>(
  entry: LogEntry,
  number: number,
  declaration: D,
  fields: () => FieldsOf<D>,
): Delivery {
  entry.variants[number] ??= write(entry, declaration, fields());
  return entry.variants[number];
}

/** `variant` for a variant that only some recipients get. A text key identifies it. */
export function rareVariant<D extends EventDeclaration>(
  entry: LogEntry,
  key: string,
  declaration: D,
  fields: () => FieldsOf<D>,
): Delivery {
  entry.rareVariants ??= new Map();
  let delivery = entry.rareVariants.get(key);
  if (!delivery) {
    delivery = write(entry, declaration, fields());
    entry.rareVariants.set(key, delivery);
  }
  return delivery;
}

/**
 * The entry as it was appended: for events without a serializer, and for one that only excludes some queues.
 */
export function asAppended(entry: LogEntry): Delivery {
  const { position } = entry;
  entry.variants[0] ??= { position, json: JSON.stringify({ ...entry.payload, id: position }) };
  return entry.variants[0];
}

function write({ position }: LogEntry, { type, op }: EventDeclaration, fields: object): Delivery {
  const event = op === undefined ? { type, ...fields, id: position } : { type, op, ...fields, id: position };
  return { position, json: JSON.stringify(event) };
}
