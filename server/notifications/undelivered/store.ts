import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface StuckMails {
  organizationId: OrganizationId;
  count: number;
  oldestAt: Date;
}

/**
 * Per organization the mails that have waited for an hour, if none of the server's mails has left meanwhile.
 * That one left is written down every five minutes at most. Without organizations that were told today.
 */
export async function listStuckMails(db: Queryable): Promise<StuckMails[]> {
  return db.query(sql`
    select m.organization_id as "organizationId", count(*)::int as count, min(m.queued_at) as "oldestAt"
    from mails m
    where m.kept_at is null and m.refused_at is null and m.queued_at < now() - interval '1 hour'
      and not exists (select from last_mail where sent_at > now() - interval '65 minutes')
      and not exists (select from mail_warnings w
        where w.organization_id = m.organization_id and w.told_at > now() - interval '1 day')
    group by m.organization_id order by m.organization_id`);
}

/** Whether nobody else has told the owners today. LOCK: the row, until the notice is written. */
export async function claimWarning(tx: Queryable, organizationId: OrganizationId): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into mail_warnings as w (organization_id) values (${organizationId})
    on conflict (organization_id) do update set told_at = now() where w.told_at <= now() - interval '1 day'
    returning organization_id`);
  return rows.length > 0;
}

/** Whether nobody else has told of this mail. LOCK: the row, until the notice is written. */
export async function claimMail(tx: Queryable, organizationId: OrganizationId, id: number): Promise<boolean> {
  const rows = await tx.query(sql`
    update mails set told_at = now()
    where organization_id = ${organizationId} and id = ${id} and told_at is null
    returning id`);
  return rows.length > 0;
}
