import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Returns the ids in the order of the mails. */
export async function insertMails(
  tx: Queryable,
  organizationId: OrganizationId,
  encrypted: readonly Buffer[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    insert into mails (organization_id, encrypted)
    select ${organizationId}, m.encrypted
    from unnest(${encrypted}::bytea[]) with ordinality as m (encrypted, place) order by m.place
    returning id`);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

/** undefined: it was sent already. */
export async function findQueuedMail(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ encrypted: Buffer }>(sql`
    select encrypted from mails
    where organization_id = ${organizationId} and id = ${id} and kept_at is null`);
  return row?.encrypted;
}

/** The mails of all organizations that are still to be sent. */
export async function countWaitingMails(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from mails where kept_at is null`);
  return row?.count ?? 0;
}

export interface WaitingMails {
  count: number;
  /** How long the oldest has waited, in seconds; 0: none waits. */
  waitedSeconds: number;
}

/** Likewise. */
export async function findWaitingMails(tx: Queryable): Promise<WaitingMails> {
  const [row] = await tx.query<WaitingMails>(sql`
    select count(*)::int as count,
      coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as "waitedSeconds"
    from mails where kept_at is null`);
  return row ?? { count: 0, waitedSeconds: 0 };
}

/** The mail that a development server keeps, the newest first. */
export async function listKeptMails(
  tx: Queryable,
  organizationId: OrganizationId,
  limit: number,
): Promise<{ id: number; encrypted: Buffer; keptAt: Date }[]> {
  return tx.query(sql`
    select id, encrypted, kept_at as "keptAt" from mails
    where organization_id = ${organizationId} and kept_at is not null order by id desc limit ${limit}`);
}

export async function findKeptMail(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ encrypted: Buffer }>(sql`
    select encrypted from mails
    where organization_id = ${organizationId} and id = ${id} and kept_at is not null`);
  return row?.encrypted;
}

/** The next mails after one, sent or not. */
export async function listMailsAfter(
  db: Queryable,
  organizationId: OrganizationId,
  after: number,
  limit: number,
): Promise<{ id: number; encrypted: Buffer }[]> {
  return db.query(sql`
    select id, encrypted from mails
    where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}`);
}

export async function keepMail(tx: Queryable, organizationId: OrganizationId, id: number): Promise<void> {
  await tx.query(sql`
    update mails set kept_at = now() where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteMail(tx: Queryable, organizationId: OrganizationId, id: number): Promise<void> {
  await tx.query(sql`delete from mails where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteOldMails(tx: Queryable, days: number): Promise<void> {
  await tx.query(sql`delete from mails where queued_at < now() - make_interval(days => ${days})`);
}
