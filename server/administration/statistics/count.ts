/**
 * Counts the statistics of each day behind the log. Each stretch of the log is a transaction that adds its
 * counts and moves the cursor, so that a crash, a retry or another node adds nothing twice. Nothing here is
 * on the way of a send.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import { MAX_STATISTICS_DAYS } from "../../../api/limits.ts";
import type { Database } from "../../platform/db/database.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { readHeads } from "../../platform/log/store.ts";
import type { Services } from "../../services.ts";
import {
  countStretch,
  deleteOldActiveDays,
  deleteOldChannelDays,
  listUncounted,
  lockCursor,
  noteDay,
} from "./store.ts";

/** Positions of the log that one transaction counts. PostgreSQL keeps old versions of rows meanwhile. */
const POSITIONS_AT_ONCE = 10_000;
/** Other work of the node runs in between. */
const PAUSE_MS = 20;
/** After this time, the rest is left to another run. */
const RUN_MS = 60_000;
const DELETED_AT_ONCE = 10_000;

export const countStatistics = definePeriodicJob({
  name: "count_statistics",
  schedule: "*/10 * * * *",
  // One run counts all that waits.
  isMadeUpFor: false,
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        for (const organizationId of await listUncounted(tx)) {
          await enqueue(tx, countStatisticsOf, { organizationId }, { key: String(organizationId) });
        }
      },
      { lane: "background" },
    );
  },
});

export const countStatisticsOf = defineJob({
  name: "count_statistics_of",
  payload: Type.Object({ organizationId: Type.Integer() }),
  async run({ database }: Pick<Services, "database">, { organizationId }, { signal }) {
    const endsAt = Date.now() + RUN_MS;
    while (await countSome(database, organizationId as OrganizationId)) {
      signal.throwIfAborted();
      if (Date.now() > endsAt) {
        await enqueue(database, countStatisticsOf, { organizationId }, { key: String(organizationId) });
        return;
      }
      await sleep(PAUSE_MS);
    }
  },
});

/**
 * Counts one stretch of an organization's log. At its head it notes the day as well. Resolves with whether
 * there is more.
 */
export async function countSome(
  database: Database,
  organizationId: OrganizationId,
  positions: number = POSITIONS_AT_ONCE,
): Promise<boolean> {
  return database.transaction(
    async (tx) => {
      const cursor = await lockCursor(tx, organizationId);
      if (!cursor) return false;
      const { head } = await readHeads(tx, organizationId);
      const to = Math.min(cursor.position + positions, head) as Position;
      if (to > cursor.position) await countStretch(tx, organizationId, { from: cursor.position, to });
      if (to < head) return true;
      await noteDay(tx, organizationId);
      return false;
    },
    { lane: "background" },
  );
}

export const forgetStatistics = definePeriodicJob({
  name: "forget_statistics",
  schedule: "41 2 * * *",
  isMadeUpFor: false,
  async run({ database }: Pick<Services, "database">, { signal }) {
    const limit = DELETED_AT_ONCE;
    while ((await deleteOldActiveDays(database, limit)) === limit) signal.throwIfAborted();
    const days = MAX_STATISTICS_DAYS;
    while ((await deleteOldChannelDays(database, { days, limit })) === limit) signal.throwIfAborted();
  },
});
