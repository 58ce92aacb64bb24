import type { MessageId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { clearReadBySender } from "./model/store.ts";

/**
 * Clears the flag on the viewer's own messages that says their sender has read them. From then on only the
 * sender's read state decides.
 */
export async function forgetReadBySender(
  tx: Queryable,
  organizationId: OrganizationId,
  senderId: UserId,
  ids: readonly MessageId[],
): Promise<void> {
  await clearReadBySender(tx, organizationId, senderId, ids);
}
