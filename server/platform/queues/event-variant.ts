import type { Delivery, LogEntry } from "../log/log-entry.ts";

/** Writes a variant of an entry's JSON once, however many queues get it. */
export function variant(entry: LogEntry, number: number, payload: () => Record<string, unknown>): Delivery {
  let delivery = entry.variants[number];
  if (!delivery) {
    delivery = { position: entry.position, json: JSON.stringify({ ...payload(), id: entry.position }) };
    entry.variants[number] = delivery;
  }
  return delivery;
}

/** The same for a variant that only some recipients get, told apart by a text. */
export function rareVariant(entry: LogEntry, key: string, payload: () => Record<string, unknown>): Delivery {
  entry.rareVariants ??= new Map();
  let delivery = entry.rareVariants.get(key);
  if (!delivery) {
    delivery = { position: entry.position, json: JSON.stringify({ ...payload(), id: entry.position }) };
    entry.rareVariants.set(key, delivery);
  }
  return delivery;
}
