import type { UserId } from "../../../api/ids.ts";
import type { Change } from "../log/change.ts";
import { deleteQueuesOf } from "./store.ts";

/**
 * Deletes the rows of users' queues, so that none of them can be polled again. The caller's change of memory
 * must remove the queues that nodes have in memory (`removeQueue`).
 */
export async function endQueuesOf(tx: Change, userIds: readonly UserId[]): Promise<void> {
  await deleteQueuesOf(tx, tx.state.organizationId, userIds);
}
