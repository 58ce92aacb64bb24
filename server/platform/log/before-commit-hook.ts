import type { Change } from "./change.ts";
import type { Projection } from "./projection.ts";

/**
 * What a change of one module's memory means to a higher module that the lower one does not know. For
 * example, an account's role decides which groups it is in. The hook runs in the transaction of the change,
 * after its work and before the commit, and `tx.state` does not have the change yet. What a hook appends runs
 * no further hooks.
 */
export interface BeforeCommitHook {
  /** The names of the projections whose patches the hook watches. */
  projections: readonly string[];
  /** `patches`: what the transaction appended for those projections, in that order. */
  run(tx: Change, patches: readonly NamedPatch[]): void | Promise<void>;
}

/**
 * A hook that runs after all others, and sees what they appended too. It may put events before those of the
 * change: `tx.insert`.
 */
export interface LastHook {
  run(tx: Change, patches: readonly PlacedPatch[]): void | Promise<void>;
}

/** `index`: of the event that carries the patch, for `tx.insert`. */
export interface PlacedPatch extends NamedPatch {
  index: number;
}

export interface NamedPatch {
  projection: string;
  patch: unknown;
}

/** The patches of one projection, in the order in which they were appended. */
export function patchesOf<T, P>(patches: readonly NamedPatch[], projection: Projection<T, P>): P[] {
  return patches.flatMap((each) => (each.projection === projection.name ? [each.patch as P] : []));
}
