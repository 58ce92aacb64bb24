import type { OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";

interface ForLater {
  id: number;
  deliverAt: Date;
}

export async function listPastScheduledMessages(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<ForLater[]> {
  return tx.query(sql`
    select id, deliver_at as "deliverAt" from scheduled_messages
    where organization_id = ${organizationId} and not is_failed`);
}

export async function listPastReminders(tx: Queryable, organizationId: OrganizationId): Promise<ForLater[]> {
  return tx.query(sql`
    select id, deliver_at as "deliverAt" from reminders where organization_id = ${organizationId}`);
}
