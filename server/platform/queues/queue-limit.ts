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
 * Called after a user has registered. If the user has more than `limit` queues, ends those that were idle
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
  limit = MAX_QUEUES_OF_USER,
): Promise<void> {
  const { byUser, byId } = queuesOf(state);
  const all = byUser.get(newest.userId);
  if (!all || all.size <= limit / 2) return;
  const others = [...all].filter((queue) => queue.isOurs && queue !== newest);
  const excess = Math.max(0, others.length + 1 - limit);
  const idleFirst = others.sort((a, b) => Number(!!a.held) - Number(!!b.held) || a.lastSeenAt - b.lastSeenAt);
  for (const queue of idleFirst.slice(0, excess)) await queues.end(state, queue.id);
  for (const id of await listExcessQueues(state.database, state.organizationId, newest.userId, limit)) {
    if (id !== newest.id && !byId.get(id)?.held) await queues.end(state, id);
  }
}
