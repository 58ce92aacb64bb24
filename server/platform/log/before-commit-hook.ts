import type { Change } from "./change.ts";

/**
 * What a change of one room's memory means to a room above it, which the lower room does not know: who is in which group
 * follows from people's roles, and so on. It runs in the same transaction, before the commit and after the verb; `state` is
 * still as it was before. What it appends has no consequences of its own.
 */
export interface BeforeCommitHook {
  /** The names of the slices that it watches. */
  projections: readonly string[];
  /** `patches`: what the transaction says of those slices, in its order. */
  run(tx: Change, patches: readonly { projection: string; patch: unknown }[]): void | Promise<void>;
}
