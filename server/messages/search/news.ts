import type { Position } from "../../../api/ids.ts";
import type { EntryListener } from "../../platform/log/log-parts.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** Entries that change what the word index has. */
const types: ReadonlySet<string> = new Set(["message", "update_message", "delete_message"]);

const newest = new WeakMap<OrganizationState, Position>();

export const noteNews: EntryListener = (state, { position, payload }) => {
  if (types.has(payload.type)) newest.set(state, position);
};

/**
 * Where the newest entry is that concerns the word index, as far as memory knows: it has not seen what came
 * before its start. Heartbeats, typing and reactions are no news, so an organization at rest is not indexed.
 */
export function newsOf(state: OrganizationState): Position {
  return newest.get(state) ?? state.loadedAt;
}
