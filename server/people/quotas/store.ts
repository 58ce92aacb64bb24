import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

const WINDOW_SECONDS = 3600;

/**
 * Adds to what a person has used of a quota; a new hour starts when the last one is over. Returns the whole
 * use in this hour, and the seconds that remain of it. The row stays locked until the transaction ends.
 */
export async function addQuotaUse(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  quota: string,
  amount: number,
): Promise<{ used: number; secondsLeft: number }> {
  // An hour that begins later than in a minute was begun while the clock was ahead.
  const isOver = sql`(u.window_started_at + make_interval(secs => ${WINDOW_SECONDS}) <= now()
    or u.window_started_at > now() + interval '1 minute')`;
  const [row] = await tx.query<{ used: number; secondsLeft: number }>(sql`
    insert into quota_usage as u (organization_id, user_id, quota, used, window_started_at)
    values (${organizationId}, ${userId}, ${quota}, ${amount}, now())
    on conflict (organization_id, user_id, quota) do update set
      used = case when ${isOver} then ${amount} else u.used + ${amount} end,
      window_started_at = case when ${isOver} then now() else u.window_started_at end
    returning used,
      extract(epoch from window_started_at + make_interval(secs => ${WINDOW_SECONDS}) - now())::float8
        as "secondsLeft"`);
  return row as { used: number; secondsLeft: number };
}
