import type { InvitationId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Invitation } from "./invitation.ts";

export type NewInvitation = Omit<Invitation, "id" | "email">;

const columns = sql`id, inviter_id as "inviterId", parent_id as "parentId", email,
  encrypted_token as "encryptedToken", role, channel_ids as "channelIds", group_ids as "groupIds",
  joins_default_channels as "joinsDefaultChannels", notifies_inviter as "notifiesInviter",
  welcome_text as "welcomeText", is_by_operator as "isByOperator", invited_at as "invitedAt",
  expires_at as "expiresAt"`;
const isOpen = sql`(expires_at is null or expires_at > now())`;

/**
 * Invites these addresses, each with its own token. An earlier invitation of an address by the same inviter,
 * for the same parent, is replaced.
 */
export async function upsertInvitations(
  tx: Queryable,
  organizationId: OrganizationId,
  row: NewInvitation,
  invitees: readonly { email: string; tokenHash: Buffer }[],
): Promise<InvitationId[]> {
  const rows = await tx.query<{ id: InvitationId }>(sql`
    insert into invitations (organization_id, inviter_id, parent_id, email, token_hash, role, channel_ids,
      group_ids, joins_default_channels, notifies_inviter, welcome_text, is_by_operator, invited_at,
      expires_at)
    select ${organizationId}, ${row.inviterId}, ${row.parentId}::bigint, i.email, i.token_hash, ${row.role}::smallint,
      ${row.channelIds}::bigint[], ${row.groupIds}::bigint[], ${row.joinsDefaultChannels}::boolean,
      ${row.notifiesInviter}::boolean, ${row.welcomeText}::text, ${row.isByOperator}::boolean,
      ${row.invitedAt}::timestamptz, ${row.expiresAt}::timestamptz
    from unnest(${invitees.map(({ email }) => email)}::text[],
      ${invitees.map(({ tokenHash }) => tokenHash)}::bytea[]) as i (email, token_hash)
    on conflict (organization_id, inviter_id, coalesce(parent_id, 0), lower(email)) where email is not null
    do update set email = excluded.email, token_hash = excluded.token_hash, role = excluded.role,
      channel_ids = excluded.channel_ids, group_ids = excluded.group_ids,
      joins_default_channels = excluded.joins_default_channels, notifies_inviter = excluded.notifies_inviter,
      welcome_text = excluded.welcome_text, is_by_operator = excluded.is_by_operator,
      invited_at = excluded.invited_at, expires_at = excluded.expires_at, reminded_at = null,
      reminder_token_hash = null
    returning id`);
  return rows.map(({ id }) => id);
}

export async function insertLink(
  tx: Queryable,
  organizationId: OrganizationId,
  row: NewInvitation,
  tokenHash: Buffer,
): Promise<InvitationId> {
  const [inserted] = await tx.query<{ id: InvitationId }>(sql`
    insert into invitations (organization_id, inviter_id, token_hash, encrypted_token, role, channel_ids,
      group_ids, joins_default_channels, notifies_inviter, welcome_text, is_by_operator, invited_at,
      expires_at)
    values (${organizationId}, ${row.inviterId}, ${tokenHash}, ${row.encryptedToken}, ${row.role},
      ${row.channelIds}, ${row.groupIds}, ${row.joinsDefaultChannels}, ${row.notifiesInviter},
      ${row.welcomeText}, ${row.isByOperator}, ${row.invitedAt}, ${row.expiresAt})
    returning id`);
  return (inserted as { id: InvitationId }).id;
}

/** The open ones, without those that confirm an address. `inviterId`: this inviter's alone. Oldest first. */
export async function listInvitations(
  tx: Queryable,
  organizationId: OrganizationId,
  inviterId: UserId | undefined,
): Promise<Invitation[]> {
  return tx.query(sql`
    select ${columns} from invitations
    where organization_id = ${organizationId} and parent_id is null and ${isOpen}
      and (${inviterId ?? null}::bigint is null or inviter_id = ${inviterId ?? null}::bigint)
    order by id`);
}

/** Whose open invitations of this address there are. */
export async function listInvitersOf(
  db: Queryable,
  organizationId: OrganizationId,
  email: string,
): Promise<UserId[]> {
  const rows = await db.query<{ inviterId: UserId }>(sql`
    select inviter_id as "inviterId" from invitations
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and parent_id is null
      and ${isOpen}
    order by inviter_id`);
  return rows.map(({ inviterId }) => inviterId);
}

export async function countInvitations(tx: Queryable, organizationId: OrganizationId): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from invitations
    where organization_id = ${organizationId} and parent_id is null and ${isOpen}`);
  return row?.count ?? 0;
}

/** LOCK: the row, so that it can't be revoked or used until the transaction ends. */
export async function findInvitation(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Invitation | undefined> {
  const [row] = await tx.query<Invitation>(sql`
    select ${columns} from invitations
    where organization_id = ${organizationId} and id = ${id} and parent_id is null and ${isOpen}
    for update`);
  return row;
}

export async function findByToken(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<Invitation | undefined> {
  const [row] = await tx.query<Invitation>(sql`
    select ${columns} from invitations
    where organization_id = ${organizationId} and ${tokenHash} in (token_hash, reminder_token_hash) and ${isOpen}`);
  return row;
}

/**
 * The same for somebody who joins. LOCK: the row. The second of two at once for one person finds nothing,
 * since the first deletes it. A link can't be revoked while somebody joins by it.
 */
export async function lockByToken(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<Invitation | undefined> {
  const [row] = await tx.query<Invitation>(sql`
    select ${columns} from invitations
    where organization_id = ${organizationId} and ${tokenHash} in (token_hash, reminder_token_hash) and ${isOpen}
    for update`);
  return row;
}

/** How many people a link has mailed who have not joined yet. */
export async function countConfirmations(
  tx: Queryable,
  organizationId: OrganizationId,
  parentId: InvitationId,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from invitations
    where organization_id = ${organizationId} and parent_id = ${parentId} and expires_at > now()`);
  return row?.count ?? 0;
}

export async function updateToken(
  tx: Queryable,
  organizationId: OrganizationId,
  id: InvitationId,
  tokenHash: Buffer,
): Promise<void> {
  await tx.query(sql`
    update invitations set token_hash = ${tokenHash}, reminder_token_hash = null where organization_id = ${organizationId} and id = ${id}`);
}

/**
 * Open invitations that were mailed to an address and end soon: within two days, or within half of their
 * time. Those of which the address was reminded are left out, and those of organizations that are being
 * imported.
 */
export async function listToRemind(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: OrganizationId; id: InvitationId }[]> {
  return db.query(sql`
    select organization_id as "organizationId", id from invitations
    where email is not null and parent_id is null and not is_by_operator and reminded_at is null
      and expires_at > now() and now() > expires_at - least(interval '2 days', (expires_at - invited_at) / 2)
      and exists (select from organization_logs l where l.organization_id = invitations.organization_id)
    order by expires_at limit ${limit}`);
}

/** Gives an invitation a second token, once. Returns false if it has had one. */
export async function addReminder(
  tx: Queryable,
  organizationId: OrganizationId,
  id: InvitationId,
  tokenHash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update invitations set reminded_at = now(), reminder_token_hash = ${tokenHash}
    where organization_id = ${organizationId} and id = ${id} and reminded_at is null
    returning 1`);
  return rows.length > 0;
}

/** With the invitations that confirm addresses for it. */
export async function deleteInvitation(
  tx: Queryable,
  organizationId: OrganizationId,
  id: InvitationId,
): Promise<void> {
  await tx.query(sql`delete from invitations where organization_id = ${organizationId} and id = ${id}`);
}

/** All of an address. Returns the inviters of those that were listed. */
export async function deleteInvitationsTo(
  tx: Queryable,
  organizationId: OrganizationId,
  email: string,
): Promise<UserId[]> {
  const rows = await tx.query<{ inviterId: UserId; parentId: InvitationId | null }>(sql`
    delete from invitations where organization_id = ${organizationId} and lower(email) = lower(${email})
    returning inviter_id as "inviterId", parent_id as "parentId"`);
  return rows.filter(({ parentId }) => parentId === null).map(({ inviterId }) => inviterId);
}

/** Returns how many there were. */
export async function deleteInvitationsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  inviterIds: readonly UserId[],
): Promise<number> {
  const rows = await tx.query(sql`
    delete from invitations where organization_id = ${organizationId} and inviter_id = any(${inviterIds}::bigint[])
    returning 1`);
  return rows.length;
}

export async function deleteExpiredInvitations(tx: Queryable): Promise<void> {
  await tx.query(sql`delete from invitations where expires_at <= now()`);
}

/** Adds to what an organization has used today, in UTC, and returns the sum. The row stays locked. */
export async function addDayUse(
  tx: Queryable,
  organizationId: OrganizationId,
  amount: number,
): Promise<number> {
  const [row] = await tx.query<{ used: number }>(sql`
    insert into invitation_days as d (organization_id, day, used)
    values (${organizationId}, (now() at time zone 'utc')::date, ${amount})
    on conflict (organization_id) do update set
      used = case when d.day = excluded.day then d.used + ${amount} else ${amount} end, day = excluded.day
    returning used`);
  return row?.used ?? 0;
}
