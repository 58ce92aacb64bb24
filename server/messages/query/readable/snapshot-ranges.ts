import type { Snapshot } from "../../../people/viewer/register-section.ts";
import { findWholeScope, type ReadableScope } from "./readable-ranges.ts";

/** By answer. Each section has a snapshot object of its own. */
const scopes = new WeakMap<Snapshot["answer"], Promise<ReadableScope>>();

/**
 * What the viewer of a snapshot may read, computed once for all sections of the snapshot. Call it before a
 * section's first `await`, since the first call reads memory.
 */
export function readableScopeOf(snapshot: Snapshot): Promise<ReadableScope> {
  const { state, viewer, own, answer } = snapshot;
  let scope = scopes.get(answer);
  if (!scope) {
    scope = findWholeScope({ state, user: viewer?.user }, own);
    scopes.set(answer, scope);
  }
  return scope;
}
