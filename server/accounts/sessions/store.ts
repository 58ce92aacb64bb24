import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { MAX_SESSION_DAYS, SESSION_IDLE_DAYS } from "../../../api/limits.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import type { Session, SignedInBy } from "./live-sessions.ts";

/** How much later a use must be than the one before it to be written. */
const COARSENESS_SECONDS = 60;

export async function listSessions(tx: Queryable, organizationId: OrganizationId): Promise<Session[]> {
  return tx.query(sql`
    select ${memoryColumns} from sessions where organization_id = ${organizationId} and expires_at > now()`);
}

const memoryColumns = sql`id, user_id as "userId", encode(token_hash, 'base64') as hash, signed_in_by as "signedInBy",
  (extract(epoch from created_at + make_interval(days => ${MAX_SESSION_DAYS})) * 1000)::float8 as "endsAt"`;

/**
 * undefined: the account has another password, or was deactivated. LOCK: the account's row, shared, so that
 * neither changes before the commit.
 */
export async function insertSession(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, tokenHash, device, network, signedInBy, hasShownStep }: NewSession,
  passwordHash: string | null | undefined,
): Promise<Session | undefined> {
  const [row] = await tx.query<Session>(
    prepare(sql`
      insert into sessions
        (organization_id, user_id, token_hash, expires_at, device, network, signed_in_by, step_proved_at)
      select organization_id, id, ${tokenHash}, now() + make_interval(days => ${SESSION_IDLE_DAYS}), ${device},
        ${network}, ${signedInBy}, case when ${hasShownStep} then now() end
      from users
      where organization_id = ${organizationId} and id = ${userId} and deactivated_at is null
        and (${passwordHash === undefined} or password_hash is not distinct from ${passwordHash ?? null})
      for share
      returning ${memoryColumns}`),
  );
  return row;
}

export interface NewSession {
  userId: UserId;
  tokenHash: Buffer;
  device: string;
  network: string;
  signedInBy: SignedInBy;
  hasShownStep: boolean;
}

/** undefined: there is no such session any more. */
export async function updateSessionToken(
  tx: Queryable,
  organizationId: OrganizationId,
  sessionId: number,
  tokenHash: Buffer,
): Promise<Session | undefined> {
  const [row] = await tx.query<Session>(sql`
    update sessions set token_hash = ${tokenHash}
    where organization_id = ${organizationId} and id = ${sessionId}
    returning ${memoryColumns}`);
  return row;
}

export async function deleteSessions(
  tx: Queryable,
  organizationId: OrganizationId,
  sessionIds: readonly number[],
): Promise<void> {
  await tx.query(sql`
    delete from sessions where organization_id = ${organizationId} and id = any(${sessionIds}::bigint[])`);
}

/** Deletes all sessions of a user but one, and returns the ids. */
export async function deleteSessionsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  keptId: number | undefined,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    delete from sessions
    where organization_id = ${organizationId} and user_id = ${userId} and id <> ${keptId ?? 0}
    returning id`);
  return rows.map(({ id }) => id);
}

/** A session as its person sees it. */
export interface ListedSession {
  id: number;
  device: string;
  network: string;
  createdAt: Date;
  lastUsedAt: Date;
}

/** Those of a person, the one used last first. */
export async function listSessionsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<ListedSession[]> {
  return tx.query(sql`
    select id, device, network, created_at as "createdAt", last_used_at as "lastUsedAt" from sessions
    where organization_id = ${organizationId} and user_id = ${userId} and expires_at > now()
    order by last_used_at desc, id desc`);
}

/** Writes that a session is used. Many uses in a minute are one. */
export async function updateSessionUse(
  db: Queryable,
  organizationId: OrganizationId,
  sessionId: number,
  network: string,
): Promise<void> {
  await db.query(sql`
    update sessions set last_used_at = now(), network = ${network}, expires_at = least(
      created_at + make_interval(days => ${MAX_SESSION_DAYS}), now() + make_interval(days => ${SESSION_IDLE_DAYS}))
    where organization_id = ${organizationId} and id = ${sessionId} and expires_at > now()
      and last_used_at <= now() - make_interval(secs => ${COARSENESS_SECONDS})`);
}

/**
 * Whether the person has shown in this session, in the last minutes, who they are. `byStep`: by a second step
 * or a passkey, where nothing else counts.
 */
export async function hasProofWithin(
  tx: Queryable,
  organizationId: OrganizationId,
  sessionId: number,
  { minutes, byStep }: { minutes: number; byStep: boolean },
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from sessions
    where organization_id = ${organizationId} and id = ${sessionId}
      and case when ${byStep} then step_proved_at else proved_at end > now() - make_interval(mins => ${minutes})`);
  return rows.length > 0;
}

export async function updateSessionProof(
  tx: Queryable,
  organizationId: OrganizationId,
  sessionId: number,
  { byStep }: { byStep: boolean },
): Promise<void> {
  await tx.query(sql`
    update sessions
    set proved_at = now(), step_proved_at = case when ${byStep} then now() else step_proved_at end
    where organization_id = ${organizationId} and id = ${sessionId}`);
}

/** Some sessions of all organizations that have expired. */
export async function listExpiredSessions(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: OrganizationId; id: number }[]> {
  return db.query(sql`
    select organization_id as "organizationId", id from sessions where expires_at <= now()
    order by expires_at limit ${limit}`);
}

/** Which of these sessions have expired, and are not in use again. */
export async function lockExpiredSessions(
  tx: Queryable,
  organizationId: OrganizationId,
  sessionIds: readonly number[],
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select id from sessions
    where organization_id = ${organizationId} and id = any(${sessionIds}::bigint[]) and expires_at <= now()
    order by id for update`);
  return rows.map(({ id }) => id);
}
