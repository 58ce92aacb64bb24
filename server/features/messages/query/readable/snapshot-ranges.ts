import type { Snapshot } from "../../../../platform/queues/register.ts";
import { findReading, type Reading } from "./readable-ranges.ts";

const everywhere = { channels: undefined, conversations: undefined };

const readings = new WeakMap<Snapshot, Promise<Reading>>();

/**
 * What the viewer of a snapshot may read, worked out once for all sections of the answer. To be called before a section
 * first awaits, since the first call reads the memory.
 */
export function readingOf(snapshot: Snapshot): Promise<Reading> {
  let reading = readings.get(snapshot);
  if (!reading) {
    const { state, viewer, tx } = snapshot;
    reading = findReading({ state, user: viewer?.user }, tx, everywhere);
    readings.set(snapshot, reading);
  }
  return reading;
}
