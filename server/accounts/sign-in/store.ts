import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";

/** How long attempts count together, from the first one on. */
const WINDOW_SECONDS = 1800;
const KNOWN_NETWORK_DAYS = 90;
const MAX_KNOWN_NETWORKS = 20;

/** How many attempts a window has, and what follows the last of them. */
export interface AttemptRule {
  limit: number;
  /**
   * null: nothing more until the end of the window. Otherwise each attempt from the limit on is followed by a
   * delay, of one second at first and twice as long each time, up to this many.
   */
  maxDelaySeconds: number | null;
}

/**
 * A count that a crash loses was of the last second. Waiting for the disk for each would let somebody who
 * guesses hold up all who sign in.
 */
const withoutFlush = sql`(select set_config('synchronous_commit', 'off', true)) as without_flush`;

/** Transactions that began one after another may be done in another order. */
const drift = sql`interval '1 minute'`;
/** The window, or the block, was begun while the clock was ahead. */
const isOfWrongClock = sql`(a.window_started_at > now() + ${drift}
  or a.blocked_until > now() + make_interval(secs => ${WINDOW_SECONDS}) + ${drift})`;
const isPast = sql`(a.window_started_at + make_interval(secs => ${WINDOW_SECONDS}) <= now())`;

/**
 * Counts an attempt to sign in, unless the subject is blocked. Returns whether it was counted. It is one
 * statement, so that attempts at the same time are all counted.
 */
export async function countSignInAttempt(
  tx: Queryable,
  organizationId: OrganizationId,
  subject: string,
  { limit, maxDelaySeconds }: AttemptRule,
): Promise<boolean> {
  const counted = await tx.query(
    prepare(sql`
      insert into sign_in_attempts as a (organization_id, subject, attempts, window_started_at)
      select ${organizationId}, ${subject}, 1, now() from ${withoutFlush}
      on conflict (organization_id, subject) do update set (attempts, window_started_at, blocked_until) = (
        select n.attempts, n.started_at, case
          when n.attempts < ${limit} then null
          when ${maxDelaySeconds}::float8 is null then n.started_at + make_interval(secs => ${WINDOW_SECONDS})
          else now() + make_interval(secs => least(2 ^ least(n.attempts - ${limit}, 30), ${maxDelaySeconds}::float8))
        end
        from (
          select case when p.is_past then 1 else a.attempts + 1 end as attempts,
            case when p.is_past then now() else a.window_started_at end as started_at
          from (select ${isPast} or ${isOfWrongClock} as is_past) as p
        ) as n
      )
      where a.blocked_until is null or a.blocked_until <= now() or ${isOfWrongClock}
      returning 1`),
  );
  return counted.length > 0;
}

/** In how many seconds attempts of a blocked subject are counted again. */
export async function findSignInDelay(
  tx: Queryable,
  organizationId: OrganizationId,
  subject: string,
): Promise<number> {
  const [row] = await tx.query<{ seconds: number | null }>(sql`
    select extract(epoch from blocked_until - now())::float8 as seconds from sign_in_attempts
    where organization_id = ${organizationId} and subject = ${subject}`);
  return row?.seconds ?? 0;
}

/** Takes back one counted attempt of each subject, with the block that it caused. */
export async function releaseSignInAttempts(
  tx: Queryable,
  organizationId: OrganizationId,
  subjects: readonly string[],
): Promise<void> {
  await tx.query(
    prepare(sql`
      with kept as (
        update sign_in_attempts set attempts = attempts - 1, blocked_until = null from ${withoutFlush}
        where organization_id = ${organizationId} and subject = any(${subjects}::text[]) and attempts > 1
      )
      delete from sign_in_attempts
      where organization_id = ${organizationId} and subject = any(${subjects}::text[]) and attempts <= 1`),
  );
}

export async function deleteSignInAttempts(
  tx: Queryable,
  organizationId: OrganizationId,
  subjects: readonly string[],
): Promise<void> {
  await tx.query(
    prepare(sql`
      delete from sign_in_attempts using ${withoutFlush}
      where organization_id = ${organizationId} and subject = any(${subjects}::text[])`),
  );
}

/**
 * Deletes what counts against the passwords and codes of an account, and `others`, subjects of their own.
 * Returns how many counts there were.
 */
export async function deleteAttemptsOfAccount(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  others: readonly string[],
): Promise<number> {
  const own = [`user ${userId}`, `second step of user ${userId}`];
  const inNetworks = own.map((each) => `${each} %`);
  const gone = await tx.query(sql`
    delete from sign_in_attempts
    where organization_id = ${organizationId}
      and (subject = any(${[...own, ...others]}::text[]) or subject like any(${inNetworks}::text[]))
    returning 1`);
  return gone.length;
}

/**
 * Deletes the counts of all organizations whose window is over. One that is still there begins again with
 * the next attempt.
 */
export async function deletePastSignInAttempts(db: Queryable): Promise<void> {
  await db.query(sql`
    delete from sign_in_attempts a using ${withoutFlush}
    where ${isPast} and (blocked_until is null or blocked_until <= now()) or ${isOfWrongClock}`);
}

/** Forgets from where the user has signed in. */
export async function deleteKnownNetworks(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    delete from sign_in_networks where organization_id = ${organizationId} and user_id = ${userId}`);
}

/** Where an attempt stands before anything is counted. */
export interface Standing {
  /** Whether the user has signed in from this network lately. */
  isKnown: boolean;
  /** In how many seconds attempts of a blocked subject are counted again. */
  blocked: ReadonlyMap<string, number>;
}

/** One statement, since most attempts of somebody who guesses end with what it says. */
export async function findStanding(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, networkHash, subjects }: { userId: UserId; networkHash: Buffer; subjects: readonly string[] },
): Promise<Standing> {
  const [row] = await tx.query<{ isKnown: boolean; blocked: Record<string, number> | null }>(
    prepare(sql`
      select exists (
          select 1 from sign_in_networks
          where organization_id = ${organizationId} and user_id = ${userId} and network_hash = ${networkHash}
            and last_used_at > now() - make_interval(days => ${KNOWN_NETWORK_DAYS})
        ) as "isKnown", (
          select json_object_agg(subject, extract(epoch from blocked_until - now())::float8)
          from sign_in_attempts a
          where organization_id = ${organizationId} and subject = any(${subjects}::text[])
            and blocked_until > now() and not ${isOfWrongClock}
        ) as blocked`),
  );
  return { isKnown: row?.isKnown === true, blocked: new Map(Object.entries(row?.blocked ?? {})) };
}

/** Remembers that the user has signed in from a network, and forgets the networks that are least used. */
export async function upsertKnownNetwork(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  networkHash: Buffer,
): Promise<void> {
  await tx.query(sql`
    insert into sign_in_networks (organization_id, user_id, network_hash)
    values (${organizationId}, ${userId}, ${networkHash})
    on conflict (organization_id, user_id, network_hash) do update set last_used_at = now()`);
  await tx.query(sql`
    delete from sign_in_networks n
    where organization_id = ${organizationId} and user_id = ${userId} and network_hash in (
      select network_hash from sign_in_networks
      where organization_id = ${organizationId} and user_id = ${userId}
      order by last_used_at desc, network_hash offset ${MAX_KNOWN_NETWORKS}
    )`);
}
