/** When people last got a weekly digest. */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** A week less a day, so that another time zone does not lose somebody a digest. */
const MIN_DAYS = 6;

/** The organizations that switched digests on. */
export async function listOrganizationsWithDigests(db: Queryable): Promise<OrganizationId[]> {
  const { digestEmailsEnabled } = organizationSettings;
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select id from organizations
    where deactivated_at is null and (settings ->> ${digestEmailsEnabled.name}::text)::boolean
    order by id`);
  return rows.map(({ id }) => id);
}

/** Those of these people whose digest was decided on less than a week before. `day`: as for `takeDay`. */
export async function listDecided(
  db: Queryable,
  organizationId: OrganizationId,
  people: readonly { userId: UserId; day: string }[],
): Promise<Set<UserId>> {
  const rows = await db.query<{ id: UserId }>(sql`
    select d.user_id as id from digests d
    join unnest(${people.map(({ userId }) => userId)}::bigint[], ${people.map(({ day }) => day)}::text[])
      as person (user_id, day) on person.user_id = d.user_id
    where d.organization_id = ${organizationId} and d.last_day > person.day::date - ${MIN_DAYS}::int`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Notes that a person's digest is decided on, in the transaction that mails it. Returns false if that was
 * done within the week. `day` is like "2026-03-02".
 */
export async function takeDay(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  day: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into digests as d (organization_id, user_id, last_day) values (${organizationId}, ${userId}, ${day}::date)
    on conflict (organization_id, user_id) do update set last_day = excluded.last_day
    where d.last_day <= excluded.last_day - ${MIN_DAYS}::int
    returning user_id`);
  return rows.length > 0;
}
