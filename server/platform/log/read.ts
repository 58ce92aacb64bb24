import type { Queryable } from "../db/database.ts";
import type { ReadLane } from "../db/lanes.ts";
import { ServerBusy } from "../db/server-busy.ts";
import type { OrganizationState } from "./organization-state.ts";
import { StaleMemory } from "./stale-memory.ts";

const MAX_TRIES = 10;

/**
 * Runs `read` in one snapshot of the database. What it decides in memory, and what it refuses, is as of that
 * snapshot or later: if memory was older, `read` runs again. The heads of the log travel with the first
 * statement, so this costs no wait. Throws ServerBusy when the organization keeps changing.
 */
export async function runRead<T>(
  state: OrganizationState,
  read: (tx: Queryable) => Promise<T>,
  lane?: ReadLane,
): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await state.database.snapshot((tx) => readOnce(state, tx, read), lane);
    } catch (error) {
      if (!(error instanceof StaleMemory)) throw error;
      await state.catchUp();
    }
  }
  throw new ServerBusy("the organization kept changing, so nothing could be read");
}

async function readOnce<T>(
  state: OrganizationState,
  tx: Queryable,
  read: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const expected = state.stateHead;
  const [heads, outcome] = await Promise.allSettled([state.readHeads(tx), read(tx)]);
  if (heads.status === "rejected") throw heads.reason;
  if (heads.value.stateHead !== expected) throw new StaleMemory();
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
