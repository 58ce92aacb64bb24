import type { OrganizationState } from "../log/organization-state.ts";
import { queuesOf } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";
import type { Queues } from "./queues.ts";

/** How many queues a node serves for one person: more than any program has use for, and what a node's memory bears. */
export const MAX_QUEUES_OF_USER = 20_000;

/**
 * After somebody registered: ends those of their queues that were idle longest, as far as there are too many. A client that
 * registers again and again and deletes nothing goes on with its newest queue, where a refusal would lock it out until the
 * old ones expire; and whoever comes back to one that was ended learns it as of one that expired, and registers anew. Each
 * node counts the queues that it serves, in its memory: nobody who registers waits for that, and a few nodes keep as many each.
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
