/** SQL on mails together with the jobs that deliver them, which are graphile-worker's rows. */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";

/**
 * `waiting`: it is tried again by itself. `failed`: all tries are used up. `refused`: the mail server does
 * not take it. The last two stay until they are forgotten.
 */
export const mailStates = ["waiting", "failed", "refused"] as const;
export type MailState = (typeof mailStates)[number];

export interface QueuedMail {
  id: number;
  organizationId: OrganizationId;
  /** null: of an earlier release. */
  kind: string | null;
  /** Masked; null: of an earlier release. */
  recipient: string | null;
  state: MailState;
  attempts: number;
  queuedAt: Date;
  lastAttemptAt: Date | null;
  /** Masked; null: it was not tried, or an older node tried it. */
  lastAnswer: string | null;
  /** When it is tried next; null unless it waits. */
  nextTryAt: Date | null;
}

/** `deliver_mail`, whose payload names the row. Only the library's table has payloads. */
const deliveries = sql`
  select (j.payload ->> 'organizationId')::bigint as organization_id, (j.payload ->> 'mailId')::bigint as mail_id,
    max(j.run_at) filter (where j.attempts < j.max_attempts or j.locked_at is not null) as next_try_at
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = 'deliver_mail'
  group by 1, 2`;

const queue = sql`
  select m.id, m.organization_id, m.kind, m.recipient, m.attempts, m.queued_at, m.last_attempt_at, m.last_answer,
    case when m.refused_at is null then d.next_try_at end as next_try_at,
    case when m.refused_at is not null then 'refused' when d.next_try_at is null then 'failed' else 'waiting' end
      as state
  from mails m
  left join (${deliveries}) d on d.organization_id = m.organization_id and d.mail_id = m.id
  where m.kept_at is null`;

export interface QueueFilter {
  organizationId?: OrganizationId | undefined;
  state?: MailState | undefined;
}

/** The newest mails of each state, at most `limit` of each, with the number of all in the state. */
export async function listQueue(
  db: Queryable,
  { organizationId, state }: QueueFilter,
  limit: number,
): Promise<(QueuedMail & { count: number })[]> {
  return db.query(sql`
    select id, organization_id as "organizationId", kind, recipient, state, attempts, queued_at as "queuedAt",
      last_attempt_at as "lastAttemptAt", last_answer as "lastAnswer", next_try_at as "nextTryAt", count
    from (
      select q.*, row_number() over (partition by q.state order by q.id desc) as place,
        (count(*) over (partition by q.state))::int as count
      from (${queue}) q
      where (${organizationId ?? null}::bigint is null or q.organization_id = ${organizationId ?? null}::bigint)
        and (${state ?? null}::text is null or q.state = ${state ?? null}::text)
    ) placed
    where place <= ${limit}
    order by state desc, id desc`);
}

export interface QueueCounts {
  waiting: number;
  failed: number;
  refused: number;
  /** How long the oldest that waits has waited, in seconds; 0: none waits. */
  oldestSeconds: number;
}

/** The mails of all organizations. */
export async function countQueue(db: Queryable): Promise<QueueCounts> {
  const [row] = await db.query<QueueCounts>(sql`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'refused')::int as refused,
      coalesce(extract(epoch from now() - min(queued_at) filter (where state = 'waiting')), 0)::float8
        as "oldestSeconds"
    from (${queue}) q`);
  return row ?? { waiting: 0, failed: 0, refused: 0, oldestSeconds: 0 };
}

export interface MailRef {
  organizationId: OrganizationId;
  id: number;
}

/**
 * The next mails after one that an operator chose, of all states. `ids`: those alone. LOCK: the rows, so that
 * two who ask at once make one job for each.
 */
export async function lockQueued(
  tx: Queryable,
  {
    organizationId,
    ids,
  }: { organizationId?: OrganizationId | undefined; ids?: readonly number[] | undefined },
  after: number,
  limit: number,
): Promise<MailRef[]> {
  return tx.query(sql`
    select id, organization_id as "organizationId" from mails
    where kept_at is null and id > ${after}
      and (${organizationId ?? null}::bigint is null or organization_id = ${organizationId ?? null}::bigint)
      and (${ids ?? null}::bigint[] is null or id = any(${ids ?? null}::bigint[]))
    order by id limit ${limit}
    for update`);
}

/**
 * Makes mails due, whose rows the caller has locked. Returns those that need a new job. A job that is running
 * counts, unless its mail was refused: then it is about to end.
 */
export async function rescheduleQueued(tx: Queryable, ids: readonly number[]): Promise<MailRef[]> {
  await tx.query(sql`
    select from graphile_worker.reschedule_jobs(array(${jobsOf(ids)} and j.locked_at is null),
      run_at => now(), attempts => 0)`);
  const without = await tx.query<MailRef>(sql`
    select m.id, m.organization_id as "organizationId" from mails m
    where m.id = any(${ids}::bigint[])
      and not exists (${jobsOf(ids)} and (j.payload ->> 'mailId')::bigint = m.id
        and (j.locked_at is null or m.refused_at is null))
    order by m.id`);
  await tx.query(sql`
    update mails set refused_at = null, told_at = null
    where id = any(${ids}::bigint[]) and (refused_at is not null or told_at is not null)`);
  return without;
}

function jobsOf(ids: readonly number[]): Sql {
  return sql`
    select j.id from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'deliver_mail' and (j.payload ->> 'mailId')::bigint = any(${ids}::bigint[])`;
}

export interface UntoldMail extends MailRef {
  encrypted: Buffer;
  /** Why it was refused, masked. null: it has failed, by a fault of the installation. */
  refusal: string | null;
}

/** Mails of these kinds that were refused or have failed, of which nobody was told yet. The oldest first. */
export async function listUntold(
  db: Queryable,
  kinds: readonly string[],
  limit: number,
): Promise<UntoldMail[]> {
  return db.query(sql`
    select q.id, q.organization_id as "organizationId", m.encrypted,
      case when q.state = 'refused' then q.last_answer end as refusal
    from (${queue}) q join mails m on m.organization_id = q.organization_id and m.id = q.id
    where q.state <> 'waiting' and m.told_at is null and m.kind = any(${kinds}::text[])
    order by q.id limit ${limit}`);
}

/** Whose these mails are. */
export async function listOrganizationsOf(db: Queryable, ids: readonly number[]): Promise<OrganizationId[]> {
  const rows = await db.query<{ organizationId: OrganizationId }>(sql`
    select distinct organization_id as "organizationId" from mails
    where id = any(${ids}::bigint[]) and kept_at is null order by organization_id`);
  return rows.map(({ organizationId }) => organizationId);
}

/** Returns the ids of those that were there. */
export async function deleteQueued(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    delete from mails
    where organization_id = ${organizationId} and id = any(${ids}::bigint[]) and kept_at is null
    returning id`);
  return rows.map(({ id }) => id);
}

/** null: none has left since mails are counted. */
export async function findLastSent(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ sentAt: Date }>(sql`select sent_at as "sentAt" from last_mail`);
  return row?.sentAt ?? null;
}
