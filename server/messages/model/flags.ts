/** The flags that users have on messages, for the modules that set and clear them. */
import type { MessageId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { deleteFlags, insertFlags, shareMessageRows } from "./flag-store.ts";

/**
 * Prevents the deletion or change of messages, while others may still flag them. Take it before the
 * read-state lock. LOCK: the messages' rows, always in one order, to the end of the transaction.
 */
export async function lockMessagesAgainstChange(tx: Change, ids: readonly number[]): Promise<void> {
  await shareMessageRows(tx, tx.state.organizationId, ids);
}

/**
 * Sets bits of `personalFlags`. The caller must prevent the deletion of the messages
 * (`lockMessagesAgainstChange`).
 */
export async function setPersonalFlag(
  tx: Change,
  userId: UserId,
  ids: readonly MessageId[],
  bit: number,
): Promise<void> {
  await insertFlags(tx, tx.state.organizationId, userId, ids, bit);
}

export async function clearPersonalFlag(
  tx: Change,
  userId: UserId,
  ids: readonly MessageId[],
  bit: number,
): Promise<void> {
  await deleteFlags(tx, tx.state.organizationId, userId, ids, bit);
}
