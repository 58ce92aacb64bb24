import type { Projection } from "../../platform/log/projection.ts";
import { listPlaygrounds, type PlaygroundRow } from "./store.ts";

interface Playgrounds {
  rows: readonly PlaygroundRow[];
}

/** Sites that run code, the oldest first. Patch: all of them. Nothing that is checked depends on them. */
export const playgrounds: Projection<Playgrounds, readonly PlaygroundRow[]> = {
  name: "playgrounds",
  async load(tx, organizationId) {
    return { rows: await listPlaygrounds(tx, organizationId) };
  },
  apply(value, patch) {
    value.rows = patch;
  },
};
