import type { Snapshot } from "../../../people/viewer/register-section.ts";
import { findReadableScope, type ReadableScope } from "./readable-ranges.ts";

const everywhere = { channels: undefined, conversations: undefined };

const scopes = new WeakMap<Snapshot, Promise<ReadableScope>>();

/**
 * What the viewer of a snapshot may read, computed once for all sections of the snapshot. Call it before a
 * section's first `await`, since the first call reads memory.
 */
export function readableScopeOf(snapshot: Snapshot): Promise<ReadableScope> {
  let scope = scopes.get(snapshot);
  if (!scope) {
    const { state, viewer, tx } = snapshot;
    scope = findReadableScope({ state, user: viewer?.user }, tx, everywhere);
    scopes.set(snapshot, scope);
  }
  return scope;
}
