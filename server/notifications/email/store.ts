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

/** The organizations with messages behind their cursors, and where these are. */
export async function listUnseen(db: Queryable): Promise<Map<OrganizationId, Position>> {
  const rows = await db.query<{ id: OrganizationId; reached: Position }>(sql`
    select l.organization_id as id, coalesce(c.position, 0) as reached from organization_logs l
    left join missed_message_cursors c on c.organization_id = l.organization_id
    where exists (
      select from messages m where m.organization_id = l.organization_id and m.id > coalesce(c.position, 0))`);
  return new Map(rows.map(({ id, reached }) => [id, reached]));
}

/** One row for each person. `position`: up to where the log was looked through for them. */
export async function insertMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  position: Position,
  missed: readonly MissedMessage[],
): Promise<void> {
  const rows = [...byPerson(missed)];
  await tx.query(sql`
    insert into missed_messages (organization_id, user_id, position, message_ids, news_since, due_at, sent_at)
    select ${organizationId}, row.user_id, ${position}, row.ids::bigint[], row.days::timestamptz[], row.due_at,
      row.sent_at
    from unnest(${rows.map(([userId]) => userId)}::bigint[], ${rows.map(([, { ids }]) => `{${ids}}`)}::text[],
      ${rows.map(([, { days }]) => `{${days.map((day) => day.toISOString())}}`)}::text[],
      ${rows.map(([, { dueAt }]) => dueAt)}::timestamptz[], ${rows.map(([, { sentAt }]) => sentAt)}::timestamptz[]
    ) as row (user_id, ids, days, due_at, sent_at)
    order by row.user_id`);
}

/** The first time that somebody is looked at, and the newest message. */
function byPerson(
  missed: readonly MissedMessage[],
): Map<UserId, { ids: MessageId[]; days: Date[]; dueAt: Date; sentAt: Date }> {
  const people = new Map<UserId, { ids: MessageId[]; days: Date[]; dueAt: Date; sentAt: Date }>();
  for (const { userId, messageId, dueAt, sentAt } of missed) {
    const known = people.get(userId);
    if (!known) {
      people.set(userId, { ids: [messageId], days: [sentAt], dueAt, sentAt });
      continue;
    }
    known.ids.push(messageId);
    known.days.push(sentAt);
    if (dueAt < known.dueAt) known.dueAt = dueAt;
    if (sentAt > known.sentAt) known.sentAt = sentAt;
  }
  return people;
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

/** What one person missed in one piece of the log. */
export interface MissedRow {
  position: Position;
  messageIds: MessageId[];
  /** Since when each of them is news: its sending, or the edit that mentioned the person. */
  newsSince: Date[];
  dueAt: Date;
  /** The newest of those. */
  sentAt: Date;
}

/** A person's rows, the oldest first. LOCK: the rows. Those that another transaction holds are left out. */
export async function lockMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  limit: number,
): Promise<MissedRow[]> {
  return tx.query<MissedRow & Record<string, unknown>>(sql`
    select position, message_ids as "messageIds", news_since as "newsSince", due_at as "dueAt", sent_at as "sentAt"
    from missed_messages
    where organization_id = ${organizationId} and user_id = ${userId}
    order by position limit ${limit} for update skip locked`);
}

/** In place of the person's rows at these positions. undefined: none of their messages waits any longer. */
export async function replaceMissed(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  positions: readonly Position[],
  left: MissedRow | undefined,
): Promise<void> {
  await tx.query(sql`
    delete from missed_messages
    where organization_id = ${organizationId} and user_id = ${userId} and position = any(${positions}::bigint[])`);
  if (!left) return;
  await tx.query(sql`
    insert into missed_messages (organization_id, user_id, position, message_ids, news_since, due_at, sent_at)
    values (${organizationId}, ${userId}, ${left.position}, ${left.messageIds}::bigint[],
      ${left.newsSince}::timestamptz[], ${left.dueAt}, ${left.sentAt})`);
}

/** Those that have waited too long to be news. A row that is not due yet is looked at when it is. */
export async function deleteOldMissed(db: Queryable, hours: number): Promise<void> {
  await db.query(sql`
    delete from missed_messages
    where due_at <= now() and sent_at < now() - make_interval(hours => ${hours})`);
}
