import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { clearReadBySender } from "./model/store.ts";

/** Makes own messages forget that their sender has read them: from then on the sender's read state decides alone. */
export async function forgetReadBySender(
  tx: Queryable,
  organizationId: OrganizationId,
  senderId: UserId,
  ids: readonly MessageId[],
): Promise<void> {
  await clearReadBySender(tx, organizationId, senderId, ids);
}
