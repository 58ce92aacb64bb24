import type { OrganizationState } from "../log/organization-state.ts";
import { queuesOf } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";
import type { Queues } from "./queues.ts";

/**
 * How many queues a node serves for one user: more than any program needs, and few enough for a node's
 * memory.
 */
export const MAX_QUEUES_OF_USER = 20_000;

/**
 * Called after a user has registered. If the user has more than `limit` queues, ends those that were idle
 * longest.
 *
 * Some clients register again and again and delete nothing. They can go on with their newest queue, where a
 * refusal would lock them out until the old queues expire. A client that polls an ended queue gets the error
 * for an expired one and registers again. Each node counts the queues that it serves, in its own memory. So
 * registering does not wait for other nodes, and each node keeps up to `limit` queues of a user.
 */
export async function endExcessQueues(
  state: OrganizationState,
  queues: Queues,
  newest: Queue,
  limit = MAX_QUEUES_OF_USER,
): Promise<void> {
  const all = queuesOf(state).byUser.get(newest.userId);
  if (!all || all.size <= limit) return;
  const others = [...all].filter((queue) => queue.isOurs && queue !== newest);
  const excess = Math.max(0, others.length + 1 - limit);
  const idleFirst = others.sort((a, b) => Number(!!a.held) - Number(!!b.held) || a.lastSeenAt - b.lastSeenAt);
  for (const queue of idleFirst.slice(0, excess)) await queues.end(state, queue);
}
