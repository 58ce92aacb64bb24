import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { organizationSettings } from "../../../api/organization-settings.ts";
import { roles } from "../../../api/roles.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** The members whose waiting period ended within a time, in the organizations where somebody listens. */
export async function listEndsOfWaiting(
  db: Queryable,
  time: { after: Date; upTo: Date },
): Promise<{ organizationId: OrganizationId; userIds: UserId[] }[]> {
  const setting = organizationSettings.waitingPeriodThreshold;
  return db.query(sql`
    select u.organization_id as "organizationId", array_agg(u.id order by u.id) as "userIds"
    from users u
    join organizations o on o.id = u.organization_id and o.deactivated_at is null
    cross join lateral (select coalesce((o.settings ->> ${setting.name}::text)::int, ${setting.default}) as days) as waiting
    where u.role = ${roles.member} and u.deactivated_at is null and not u.is_system and waiting.days > 0
      and u.joined_at + make_interval(hours => 24 * waiting.days) > ${time.after}
      and u.joined_at + make_interval(hours => 24 * waiting.days) <= ${time.upTo}
      and exists (select from event_queues q where q.organization_id = o.id)
    group by u.organization_id`);
}
