import type { MessageId, OrganizationId, ReminderId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

export interface NewReminder {
  userId: UserId;
  messageId: MessageId;
  /** Empty if there is none. */
  note: string;
  content: string;
  renderedContent: string;
  deliverAt: Date;
}

export interface Reminder extends NewReminder {
  id: ReminderId;
}

const columns = sql`id, user_id as "userId", message_id as "messageId", note, content,
  rendered_content as "renderedContent", deliver_at as "deliverAt"`;

export async function insertReminder(
  tx: Queryable,
  organizationId: OrganizationId,
  reminder: NewReminder,
): Promise<Reminder> {
  const [row] = await tx.query<Reminder>(sql`
    insert into reminders (organization_id, user_id, message_id, note, content, rendered_content, deliver_at)
    values (${organizationId}, ${reminder.userId}, ${reminder.messageId}, ${reminder.note}, ${reminder.content},
      ${reminder.renderedContent}, ${reminder.deliverAt})
    returning ${columns}`);
  return row as Reminder;
}

/** One person's reminders, the next one first. */
export const ownReminders = new PersonalRows<Reminder>(
  (organizationId, userId) => sql`
    select ${columns} from reminders
    where organization_id = ${organizationId} and user_id = ${userId} order by deliver_at, id`,
  ["deliverAt"],
);

/** Everybody's next reminders after one, and whether they mention somebody: their HTML has `mention`. */
export async function listNextReminders(
  db: Queryable,
  organizationId: OrganizationId,
  mention: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: ReminderId; mentions: boolean }[]> {
  return db.query(sql`
    select id, position(${mention} in rendered_content) > 0 as mentions from reminders
    where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}`);
}

/** Anybody's reminder. LOCK: the row, to the end of the transaction. So it is not delivered meanwhile. */
export async function lockReminder(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Reminder | undefined> {
  const [row] = await tx.query<Reminder>(sql`
    select ${columns} from reminders where organization_id = ${organizationId} and id = ${id} for update`);
  return row;
}

export async function updateReminderText(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, note, content, renderedContent }: Pick<Reminder, "id" | "note" | "content" | "renderedContent">,
): Promise<void> {
  await tx.query(sql`
    update reminders set note = ${note}, content = ${content}, rendered_content = ${renderedContent}
    where organization_id = ${organizationId} and id = ${id}`);
}

export async function countReminders(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from reminders
    where organization_id = ${organizationId} and user_id = ${userId}`);
  return row?.count ?? 0;
}

/**
 * Deletes anybody's reminder, or only one person's, and returns it. Only one of two transactions that do so
 * at once gets it.
 */
export async function deleteReminder(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  userId?: UserId,
): Promise<Reminder | undefined> {
  const [row] = await tx.query<Reminder>(sql`
    delete from reminders
    where organization_id = ${organizationId} and id = ${id}
      and (${userId ?? null}::bigint is null or user_id = ${userId ?? null})
    returning ${columns}`);
  return row;
}
