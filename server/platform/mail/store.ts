import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface NewMailRow {
  kind: string;
  /** Masked. */
  recipient: string;
  encrypted: Buffer;
}

/** Returns the ids in the order of the mails. */
export async function insertMails(
  tx: Queryable,
  organizationId: OrganizationId,
  mails: readonly NewMailRow[],
): Promise<number[]> {
  const kinds = mails.map(({ kind }) => kind);
  const recipients = mails.map(({ recipient }) => recipient);
  const encrypted = mails.map((mail) => mail.encrypted);
  const rows = await tx.query<{ id: number }>(sql`
    insert into mails (organization_id, kind, recipient, encrypted)
    select ${organizationId}, m.kind, m.recipient, m.encrypted
    from unnest(${kinds}::text[], ${recipients}::text[], ${encrypted}::bytea[])
      with ordinality as m (kind, recipient, encrypted, place) order by m.place
    returning id`);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

/** undefined: it was sent already, or was refused. */
export async function findQueuedMail(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ encrypted: Buffer }>(sql`
    select encrypted from mails
    where organization_id = ${organizationId} and id = ${id} and kept_at is null and refused_at is null`);
  return row?.encrypted;
}

/** Writes down a try that failed. `answer`: masked. */
export async function updateAttempt(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  { answer, isRefused }: { answer: string; isRefused: boolean },
): Promise<void> {
  await tx.query(sql`
    update mails set attempts = attempts + 1, last_attempt_at = now(), last_answer = ${answer},
      refused_at = case when ${isRefused}::boolean then now() end
    where organization_id = ${organizationId} and id = ${id}`);
}

/** The mails of all organizations that are still to be sent. */
export async function countWaitingMails(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from mails where kept_at is null and refused_at is null`);
  return row?.count ?? 0;
}

export interface WaitingMails {
  count: number;
  /** How long the oldest has waited, in seconds; 0: none waits. */
  waitedSeconds: number;
  /** What the mail server said at the newest try of them, masked; null: none was tried. */
  lastAnswer: string | null;
  /** Those that the mail server has refused in the last week. They do not wait. */
  refused: number;
}

/** Likewise, with those whose tries are used up. */
export async function findWaitingMails(tx: Queryable): Promise<WaitingMails> {
  const [row] = await tx.query<WaitingMails>(sql`
    select count(*) filter (where refused_at is null)::int as count,
      coalesce(extract(epoch from now() - min(queued_at) filter (where refused_at is null)), 0)::float8
        as "waitedSeconds",
      (array_agg(last_answer order by last_attempt_at desc)
        filter (where refused_at is null and last_answer is not null))[1] as "lastAnswer",
      count(refused_at)::int as refused
    from mails where kept_at is null`);
  return row ?? { count: 0, waitedSeconds: 0, lastAnswer: null, refused: 0 };
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

/** Deletes a mail that left, and writes down when. */
export async function deleteSentMail(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(sql`
    with sent as (delete from mails where organization_id = ${organizationId} and id = ${id})
    insert into last_mail (sent_at) values (now())
    on conflict (is_only) do update set sent_at = excluded.sent_at`);
}

/** Those that were refused stay for as long from then on. */
export async function deleteOldMails(tx: Queryable, days: number): Promise<void> {
  await tx.query(sql`
    delete from mails where coalesce(refused_at, queued_at) < now() - make_interval(days => ${days})`);
}
