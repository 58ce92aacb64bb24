import type { OrganizationId, UserId } from "../../api/ids.ts";
import { type Role, roles } from "../../api/roles.ts";
import type { Queryable } from "../platform/db/database.ts";
import { PAGE_ROWS } from "../platform/db/pages.ts";
import { prepare, sql } from "../platform/db/sql.ts";
import type { User } from "./user.ts";

interface UserRow {
  id: UserId;
  email: string;
  fullName: string;
  role: Role;
  botType: number | null;
  botOwnerId: UserId | null;
  timezone: string;
  avatarVersion: number;
  avatarFile: string | null;
  joinedAt: Date;
  deactivatedAt: Date | null;
  settings: Record<string, unknown>;
  isSystem: boolean;
  canChangeEmails: boolean;
  isErased: boolean;
}

const columns = sql`id, email, full_name as "fullName", role, bot_type as "botType", bot_owner_id as "botOwnerId",
  timezone, avatar_version as "avatarVersion", avatar_file as "avatarFile", joined_at as "joinedAt", deactivated_at as "deactivatedAt", settings,
  is_system as "isSystem", can_change_emails as "canChangeEmails", erased_at is not null as "isErased"`;

/** All users by pages, in the order of their ids: those after one of them. */
export async function listUsersAfter(
  tx: Queryable,
  organizationId: OrganizationId,
  last: User | undefined,
): Promise<User[]> {
  const rows = await tx.query<UserRow>(
    prepare(sql`
      select ${columns} from users where organization_id = ${organizationId} and id > ${last?.id ?? 0}
      order by id limit ${PAGE_ROWS}`),
  );
  return rows.map(toUser);
}

export async function insertUser(
  tx: Queryable,
  organizationId: OrganizationId,
  user: {
    email: string;
    fullName: string;
    role: Role;
    botType: number | null;
    botOwnerId: UserId | null;
    passwordHash: string | null;
    isSystem?: boolean;
    avatarFile?: string | null;
    settings?: Readonly<Record<string, unknown>>;
  },
): Promise<User> {
  const [row] = await tx.query<UserRow>(sql`
    insert into users (organization_id, email, full_name, role, bot_type, bot_owner_id, password_hash,
      is_system, avatar_file, settings)
    values (${organizationId}, ${user.email}, ${user.fullName}, ${user.role}, ${user.botType}, ${user.botOwnerId},
      ${user.passwordHash}, ${user.isSystem ?? false}, ${user.avatarFile ?? null},
      ${JSON.stringify(user.settings ?? {})})
    returning ${columns}`);
  return toUser(row as UserRow);
}

export async function updateUser(tx: Queryable, organizationId: OrganizationId, user: User): Promise<void> {
  await tx.query(sql`
    update users set timezone = ${user.timezone}, settings = ${JSON.stringify(user.settings)},
      full_name = ${user.fullName}, role = ${user.role}, email = ${user.email}, bot_owner_id = ${user.botOwnerId}
    where organization_id = ${organizationId} and id = ${user.id}`);
}

export async function updateAvatar(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, avatarFile, avatarVersion }: Pick<User, "id" | "avatarFile" | "avatarVersion">,
): Promise<void> {
  await tx.query(sql`
    update users set avatar_file = ${avatarFile}, avatar_version = ${avatarVersion}
    where organization_id = ${organizationId} and id = ${id}`);
}

export async function deactivateUsers(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<void> {
  await tx.query(sql`
    update users set deactivated_at = now()
    where organization_id = ${organizationId} and id = any(${userIds}::bigint[]) and deactivated_at is null`);
}

export async function reactivateUser(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    update users set deactivated_at = null where organization_id = ${organizationId} and id = ${userId}`);
}

/** Leaves nothing in the row of what tells who somebody was. `user` has the neutral name and address. */
export async function eraseUser(tx: Queryable, organizationId: OrganizationId, user: User): Promise<void> {
  await tx.query(sql`
    update users set full_name = ${user.fullName}, email = ${user.email}, timezone = ${user.timezone},
      settings = ${JSON.stringify(user.settings)}, avatar_file = null, avatar_version = ${user.avatarVersion},
      can_change_emails = false, password_hash = null, password_mailed_at = null, last_active_at = null,
      erased_at = now()
    where organization_id = ${organizationId} and id = ${user.id}`);
}

export async function updateEmailPermission(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  canChangeEmails: boolean,
): Promise<void> {
  await tx.query(sql`
    update users set can_change_emails = ${canChangeEmails}
    where organization_id = ${organizationId} and id = ${userId}`);
}

/** undefined for an unknown id; null for a user without a password. */
export async function findPasswordHash(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<string | null | undefined> {
  const [row] = await tx.query<{ passwordHash: string | null }>(sql`
    select password_hash as "passwordHash" from users
    where organization_id = ${organizationId} and id = ${userId}`);
  return row?.passwordHash;
}

export async function lockUser(tx: Queryable, organizationId: OrganizationId, userId: UserId): Promise<void> {
  // Rows that only name the person may be written meanwhile. A commit of messages that has its turn writes
  // such rows, and must not wait.
  await tx.query(sql`
    select 1 from users where organization_id = ${organizationId} and id = ${userId} for no key update`);
}

/** null for a password that nobody has set by mail. */
export async function findPasswordMailedAt(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<Date | null> {
  const [row] = await tx.query<{ mailedAt: Date | null }>(sql`
    select password_mailed_at as "mailedAt" from users
    where organization_id = ${organizationId} and id = ${userId}`);
  return row?.mailedAt ?? null;
}

/**
 * Returns false if the hash is not the expected one any more. A change by the person keeps the time of a
 * mail: who has the mailbox could make one right after.
 */
export async function updatePasswordHash(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { from, to, isByMail }: { from: string | null; to: string; isByMail: boolean },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update users set password_hash = ${to},
      password_mailed_at = case when ${isByMail} then now() else password_mailed_at end
    where organization_id = ${organizationId} and id = ${userId} and deactivated_at is null
      and password_hash is not distinct from ${from}::text
    returning 1`);
  return rows.length > 0;
}

function toUser(row: UserRow): User {
  const { deactivatedAt, joinedAt, ...rest } = row;
  return {
    ...rest,
    joinedAt: joinedAt.toISOString().replace("Z", "+00:00"),
    isActive: deactivatedAt === null,
  };
}

/** The members whose waiting period ended within a time; `setting` gives the days to wait. */
export async function listWaitingEndedIn(
  db: Queryable,
  setting: { name: string; default: number },
  time: { after: Date; upTo: Date },
): Promise<{ organizationId: OrganizationId; userIds: UserId[] }[]> {
  return db.query(sql`
    select u.organization_id as "organizationId", array_agg(u.id order by u.id) as "userIds"
    from users u
    join organizations o on o.id = u.organization_id and o.deactivated_at is null
    cross join lateral (select coalesce((o.settings ->> ${setting.name}::text)::int, ${setting.default}) as days) as waiting
    where u.role = ${roles.member} and u.deactivated_at is null and not u.is_system and waiting.days > 0
      and u.joined_at + make_interval(hours => 24 * waiting.days) > ${time.after}
      and u.joined_at + make_interval(hours => 24 * waiting.days) <= ${time.upTo}
      and exists (select from event_queues q where q.organization_id = o.id)
    group by u.organization_id`);
}

/** Sets when the user was last active; an earlier time than the stored one changes nothing. */
export async function updateLastActive(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  at: Date,
): Promise<void> {
  await db.query(sql`
    update users set last_active_at = greatest(last_active_at, ${at}::timestamptz)
    where organization_id = ${organizationId} and id = ${userId}`);
}

/** In how many active organizations the address has an active account; no more than `limit` are counted. */
export async function countActiveAccounts(tx: Queryable, email: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`
    select 1 from organizations o
    where o.deactivated_at is null and exists (
      select from users u
      where u.organization_id = o.id and lower(u.email) = lower(${email}) and u.deactivated_at is null)
    limit ${limit}`);
  return rows.length;
}
