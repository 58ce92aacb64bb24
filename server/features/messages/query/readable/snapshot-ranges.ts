import type { Snapshot } from "../../../users/register-section.ts";
import { findReadableScope, type ReadableScope } from "./readable-ranges.ts";

const everywhere = { channels: undefined, conversations: undefined };

const readings = new WeakMap<Snapshot, Promise<ReadableScope>>();

/**
 * What the viewer of a snapshot may read, worked out once for all sections of the answer. To be called before a section
 * first awaits, since the first call reads the memory.
 */
export function readableScopeOf(snapshot: Snapshot): Promise<ReadableScope> {
  let reading = readings.get(snapshot);
  if (!reading) {
    const { state, viewer, tx } = snapshot;
    reading = findReadableScope({ state, user: viewer?.user }, tx, everywhere);
    readings.set(snapshot, reading);
  }
  return reading;
}
