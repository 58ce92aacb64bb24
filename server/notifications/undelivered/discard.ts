import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Database } from "../../platform/db/database.ts";
import { runContentChange } from "../../platform/log/change.ts";
import { deleteQueued, listOrganizationsOf } from "../../platform/mail/queue-store.ts";
import type { Services } from "../../services.ts";

/**
 * Throws away mails that have not left, as the operator chose them. One that is being sent at this moment
 * still leaves. Returns the ids of those that were there.
 */
export async function discardMails(
  { database, organizations }: Pick<Services, "organizations"> & { database: Database },
  ids: readonly number[],
): Promise<number[]> {
  const found = await database.snapshot((tx) => listOrganizationsOf(tx, ids));
  const discarded: number[] = [];
  for (const organizationId of found) {
    const state = await organizations.byId(organizationId);
    const gone = await runContentChange(state, async (tx) => {
      const deleted = await deleteQueued(tx, organizationId, ids);
      if (deleted.length === 0) return deleted;
      const count = deleted.length;
      await recordAudit(tx, { action: "mails_discarded", changes: { mails: { old: count, new: 0 } } });
      return deleted;
    });
    discarded.push(...gone);
  }
  return discarded;
}
