/** Messages that people may have missed, and up to where the log was looked through for them. */
import type { MessageId, OrganizationId, Position, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

export interface MissedMessage {
  userId: UserId;
  messageId: MessageId;
  dueAt: Date;
  sentAt: Date;
}

/**
 * For the lead of a transaction: its commit does not wait for the disk. The cursor and the rows are lost
 * together, and are made again.
 */
export const withoutFlush: Sql = sql`select set_config('synchronous_commit', 'off', true)`;

/**
 * LOCK: the cursor, to the end of the transaction. undefined: another transaction holds it. A new one begins
 * before the first message.
 */
export async function lockCursor(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<Position | undefined> {
  const find = sql`
    select position from missed_message_cursors where organization_id = ${organizationId}
    for update skip locked`;
  const [row] = await tx.query<{ position: Position }>(find);
  if (row) return row.position;
  await tx.query(sql`
    insert into missed_message_cursors (organization_id, position) values (${organizationId}, 0)
    on conflict do nothing`);
  const [made] = await tx.query<{ position: Position }>(find);
  return made?.position;
}

export async function updateCursor(
  tx: Queryable,
  organizationId: OrganizationId,
  position: Position,
): Promise<void> {
  await tx.query(sql`
    update missed_message_cursors set position = ${position} where organization_id = ${organizationId}`);
}

/** The organizations with messages behind their cursors. */
export async function listUnseen(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select l.organization_id as id from organization_logs l
    left join missed_message_cursors c on c.organization_id = l.organization_id
    where exists (
      select from messages m where m.organization_id = l.organization_id and m.id > coalesce(c.position, 0))`);
  return rows.map(({ id }) => id);
}

export async function insertMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  rows: readonly MissedMessage[],
): Promise<void> {
  await tx.query(sql`
    insert into missed_messages (organization_id, user_id, message_id, due_at, sent_at)
    select ${organizationId}, row.* from unnest(${rows.map(({ userId }) => userId)}::bigint[],
      ${rows.map(({ messageId }) => messageId)}::bigint[], ${rows.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${rows.map(({ sentAt }) => sentAt)}::timestamptz[]) as row (user_id, message_id, due_at, sent_at)
    order by row.user_id, row.message_id
    on conflict do nothing`);
}

/** People with a message that has waited long enough, those who wait longest first. */
export async function listDuePeople(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: OrganizationId; userId: UserId }[]> {
  return db.query(sql`
    select organization_id as "organizationId", user_id as "userId" from missed_messages
    where due_at <= now()
    group by organization_id, user_id order by min(due_at), organization_id, user_id limit ${limit}`);
}

/**
 * A person's oldest ones that are not older than `hours`. LOCK: the rows. Those that another transaction
 * holds are left out.
 */
export async function lockMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { hours, limit }: { hours: number; limit: number },
): Promise<MessageId[]> {
  const rows = await tx.query<{ id: MessageId }>(sql`
    select message_id as id from missed_messages
    where organization_id = ${organizationId} and user_id = ${userId}
      and sent_at >= now() - make_interval(hours => ${hours})
    order by message_id limit ${limit} for update skip locked`);
  return rows.map(({ id }) => id);
}

/** These wait again. */
export async function postponeMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  seconds: number,
): Promise<void> {
  await tx.query(sql`
    update missed_messages set due_at = now() + make_interval(secs => ${seconds})
    where organization_id = ${organizationId} and user_id = ${userId} and message_id = any(${ids}::bigint[])`);
}

export async function deleteMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
): Promise<void> {
  await tx.query(sql`
    delete from missed_messages
    where organization_id = ${organizationId} and user_id = ${userId} and message_id = any(${ids}::bigint[])`);
}

/** Those that have waited too long to be news. */
export async function deleteOldMissed(db: Queryable, hours: number): Promise<void> {
  await db.query(sql`delete from missed_messages where sent_at < now() - make_interval(hours => ${hours})`);
}
