import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { ChannelId, OrganizationId, RecipientId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { DeletedMessage } from "../delete/events.ts";
import type { Holds, Policy } from "./policy.ts";

/** The organizations that do not keep everything forever. */
export async function listExpiringOrganizations(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select id from organizations o
    where o.deactivated_at is null and (
      (o.settings ->> ${organizationSettings.messageRetentionDays.name}::text)::int > 0
      or exists (select from channels c where c.organization_id = o.id and c.message_retention_days > 0))`);
  return rows.map(({ id }) => id);
}

/**
 * Ids are in the order of sends, and nearly always times are too. Messages that were sent while a clock was
 * ahead have times in the future. They are passed over when the oldest message is looked for, since they
 * would keep everything behind them. They expire with the message after them.
 */

/** When the oldest message of each of these channels was sent. Empty channels are left out. */
export async function listOldestSentAt(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
  now: Date,
): Promise<Map<ChannelId, Date>> {
  const rows = await tx.query<{ id: ChannelId; sentAt: Date }>(sql`
    select channel.id, oldest.sent_at as "sentAt"
    from unnest(${channelIds}::bigint[]) as channel (id)
    cross join lateral (
      select m.sent_at from messages m where m.organization_id = ${organizationId} and m.recipient_id = channel.id
        and m.sent_at <= ${now}
      order by m.id limit 1
    ) as oldest`);
  return new Map(rows.map(({ id, sentAt }) => [id, sentAt]));
}

/** Conversations whose oldest message was sent before the cutoff, in the order of their ids. */
export async function listExpiringConversations(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, cutoff, now, limit }: { after: RecipientId; cutoff: Date; now: Date; limit: number },
): Promise<RecipientId[]> {
  const rows = await tx.query<{ id: RecipientId }>(sql`
    select c.id from conversations c
    cross join lateral (
      select m.sent_at from messages m where m.organization_id = c.organization_id and m.recipient_id = c.id
        and m.sent_at <= ${now}
      order by m.id limit 1
    ) as oldest
    where c.organization_id = ${organizationId} and c.id > ${after} and oldest.sent_at < ${cutoff}
    order by c.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Messages of these places that were sent before the place's cutoff, oldest first in each place. */
export async function listExpiredMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  places: readonly { id: RecipientId; cutoff: Date }[],
  { now, limit }: { now: Date; limit: number },
): Promise<DeletedMessage[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id as "topicId", t.name as topic, c.user_ids as "userIds"
    from unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ cutoff }) => cutoff)}::timestamptz[])
      as place (id, cutoff)
    cross join lateral (
      select max(first.id) as id from (
        select id, sent_at from messages
        where organization_id = ${organizationId} and recipient_id = place.id and sent_at <= ${now}
        order by id limit ${limit}
      ) as first
      where first.sent_at < place.cutoff
    ) as last
    cross join lateral (
      select * from messages
      where organization_id = ${organizationId} and recipient_id = place.id and id <= last.id
        and (sent_at < place.cutoff or sent_at > ${now})
      order by id limit ${limit}
    ) as m
    left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    left join conversations c on c.organization_id = m.organization_id and c.id = m.recipient_id
    limit ${limit}`);
}

/** What a run noted for the next one. */
export interface Expiry {
  lookedAt: Date;
  waitsUntil: Date;
  policy: Policy;
  holds: Holds;
}

/** LOCK: the row, to the end of the transaction. undefined before the first run. */
export async function lockExpiry(tx: Queryable, organizationId: OrganizationId): Promise<Expiry | undefined> {
  const [row] = await tx.query<Expiry>(sql`
    select looked_at as "lookedAt", waits_until as "waitsUntil", policy, holds from message_expiries
    where organization_id = ${organizationId} for update`);
  return row;
}

export async function upsertExpiry(
  tx: Queryable,
  organizationId: OrganizationId,
  { lookedAt, waitsUntil, policy, holds }: Expiry,
): Promise<void> {
  await tx.query(sql`
    insert into message_expiries (organization_id, looked_at, waits_until, policy, holds)
    values (${organizationId}, ${lookedAt}, ${waitsUntil}, ${JSON.stringify(policy)}::jsonb,
      ${JSON.stringify(holds)}::jsonb)
    on conflict (organization_id) do update
    set looked_at = excluded.looked_at, waits_until = excluded.waits_until, policy = excluded.policy,
      holds = excluded.holds`);
}
