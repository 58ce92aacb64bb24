import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { queuesOf } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";
import type { Queues } from "./queues.ts";
import { listExcessQueues } from "./store.ts";

/**
 * How many queues a user can have: more than all of their programs need. A queue's options take up to 4 kB,
 * in memory and as a row, for up to a week.
 */
export const MAX_QUEUES_OF_USER = 200;

/**
 * How many the bots of one person can have together. A person can have a hundred bots, and each has a limit
 * of its own only so that none takes the queues of the others.
 */
export const MAX_QUEUES_OF_BOTS = 1000;

/** Whose queues are counted together: by default those of the user who registered the newest one. */
interface Counted {
  limit?: number;
  userIds?: readonly UserId[];
}

/**
 * Called after a user has registered. If there are more than `limit` queues, ends those that were idle
 * longest.
 *
 * Some clients register again and again and delete nothing. They can go on with their newest queue, where a
 * refusal would lock them out until the old queues expire. A client that polls an ended queue gets the error
 * for an expired one and registers again.
 *
 * Each node first counts the queues in its own memory. Where those are many, it counts the rows too, which
 * are also those of other nodes and from before a restart. So the usual registration costs no query, and a
 * user has at most `limit` rows, or half of that for each node.
 */
export async function endExcessQueues(
  state: OrganizationState,
  queues: Queues,
  newest: Queue,
  { limit = MAX_QUEUES_OF_USER, userIds = [newest.userId] }: Counted = {},
): Promise<void> {
  const { byUser, byId } = queuesOf(state);
  const size = userIds.reduce((sum, id) => sum + (byUser.get(id)?.size ?? 0), 0);
  if (size <= limit / 2) return;
  const all = userIds.flatMap((id) => [...(byUser.get(id) ?? [])]);
  const others = all.filter((queue) => queue.isOurs && queue !== newest);
  const excess = Math.max(0, others.length + 1 - limit);
  const idleFirst = others.sort((a, b) => Number(!!a.held) - Number(!!b.held) || a.lastSeenAt - b.lastSeenAt);
  for (const queue of idleFirst.slice(0, excess)) await queues.end(state, queue.id);
  for (const id of await listExcessQueues(state.database, state.organizationId, userIds, limit)) {
    if (id !== newest.id && !byId.get(id)?.held) await queues.end(state, id);
  }
}
