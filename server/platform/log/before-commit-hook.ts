import type { Change } from "./change.ts";
import type { Projection } from "./projection.ts";

/**
 * What a change of one module's memory means to a module above it, which the lower module does not know: which groups an
 * account is in follows from its role, say. It runs in the same transaction, before the commit and after the verb; `tx.state`
 * is still as it was before. What it appends runs no hooks.
 */
export interface BeforeCommitHook {
  /** The names of the projections whose patches it watches. */
  projections: readonly string[];
  /** `patches`: what the transaction appended for those projections, in its order. */
  run(tx: Change, patches: readonly NamedPatch[]): void | Promise<void>;
}

export interface NamedPatch {
  projection: string;
  patch: unknown;
}

/** The patches of one projection, in their order. */
export function patchesOf<T, P>(patches: readonly NamedPatch[], projection: Projection<T, P>): P[] {
  return patches.flatMap((each) => (each.projection === projection.name ? [each.patch as P] : []));
}
