/**
 * The statistics of each day. Days are those of UTC, as texts like "2026-03-02". Every count of a message is
 * added in the transaction that moves the organization's cursor beyond it.
 */
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { reactionAdded } from "../../../api/events/reactions.ts";
import type { ChannelId, OrganizationId, Position, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/**
 * An activity of so many days ago still counts, and figures of active people are counted again for so long.
 * The log has its events for eight days.
 */
const RECENT_DAYS = 7;
/** Days in `active_days`, with today: what the figures of the oldest recent day need, and one more. */
export const ACTIVE_DAYS_KEPT = RECENT_DAYS + 28 + 1;
/** Presences are written with the time at which a transaction began that ends a little later. */
const PRESENCE_OVERLAP_MS = 60_000;

/**
 * The active organizations with something to count: the log has grown, people were present, or the day is
 * another.
 */
export async function listUncounted(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select o.id from organizations o
    cross join lateral (
      select head from organization_logs l where l.organization_id = o.id order by stretch desc limit 1
    ) as log
    left join statistics_cursors c on c.organization_id = o.id
    where o.deactivated_at is null and (
      c.counted_at is null or log.head > c.position
      or (c.counted_at at time zone 'utc')::date <> (now() at time zone 'utc')::date
      or exists (
        select from presences p where p.organization_id = o.id
          and p.update_id > (extract(epoch from c.counted_at) * 1000)::bigint - ${PRESENCE_OVERLAP_MS}::bigint))
    order by o.id`);
  return rows.map(({ id }) => id);
}

/**
 * Where counting goes on. undefined: the organization is deactivated. Organizations that are at most seven
 * days old were empty before, so of them everything is known.
 * LOCK: the organization's cursor, to the end of the transaction. Two nodes count one after the other.
 */
export async function lockCursor(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<{ position: Position } | undefined> {
  await tx.query(sql`
    insert into statistics_cursors (organization_id, active_since)
    select o.id, case when today.day - o.made_on <= ${RECENT_DAYS}::int then o.made_on - 27 else today.day end
    from (select id, (created_at at time zone 'utc')::date as made_on from organizations
      where id = ${organizationId}) as o,
      (select (now() at time zone 'utc')::date as day) as today
    on conflict do nothing`);
  const [row] = await tx.query<{ position: Position }>(sql`
    select c.position from statistics_cursors c join organizations o on o.id = c.organization_id
    where c.organization_id = ${organizationId} and o.deactivated_at is null for update of c`);
  return row;
}

/** Adds the messages with from < id <= to, and who was active by them. The caller holds the cursor. */
export async function countStretch(
  tx: Queryable,
  organizationId: OrganizationId,
  { from, to }: { from: Position; to: Position },
): Promise<void> {
  const { type, op } = reactionAdded;
  await tx.query(sql`
    with recent as (
      select (now() at time zone 'utc')::date as today, (now() at time zone 'utc')::date - ${RECENT_DAYS}::int as oldest
    ), sent as materialized (
      select (m.sent_at at time zone 'utc')::date as day, m.recipient_id, m.topic_id is not null as is_in_channel,
        m.sender_id, count(*) as messages
      from messages m where m.organization_id = ${organizationId} and m.id > ${from} and m.id <= ${to}
      group by 1, 2, 3, 4
    ), by_day as (
      insert into statistics_days as d
        (organization_id, day, public_messages, private_messages, direct_messages, bot_messages)
      select ${organizationId}, s.day,
        coalesce(sum(s.messages) filter (where s.is_in_channel and not c.is_private), 0),
        coalesce(sum(s.messages) filter (where s.is_in_channel and c.is_private), 0),
        coalesce(sum(s.messages) filter (where not s.is_in_channel), 0),
        coalesce(sum(s.messages) filter (where u.bot_type is not null or u.is_system), 0)
      from sent s
      left join channels c on c.organization_id = ${organizationId} and c.id = s.recipient_id
      left join users u on u.organization_id = ${organizationId} and u.id = s.sender_id
      group by s.day
      on conflict (organization_id, day) do update set
        public_messages = d.public_messages + excluded.public_messages,
        private_messages = d.private_messages + excluded.private_messages,
        direct_messages = d.direct_messages + excluded.direct_messages,
        bot_messages = d.bot_messages + excluded.bot_messages
    ), by_channel as (
      insert into statistics_channel_days as d (organization_id, day, channel_id, messages)
      select ${organizationId}, s.day, s.recipient_id, sum(s.messages) from sent s
      where s.is_in_channel group by s.day, s.recipient_id
      on conflict (organization_id, day, channel_id) do update set messages = d.messages + excluded.messages
    ), seen as (
      select s.day, s.sender_id as user_id from sent s
      union
      select e.written_on, (e.payload ->> 'user_id')::bigint from events e, recent
      where e.organization_id = ${organizationId} and e.position > ${from} and e.position <= ${to}
        and e.written_on >= recent.oldest and e.type = ${type}
        and e.payload ->> 'op' = ${op ?? null}
    ), active as (
      insert into active_days (organization_id, day, user_id)
      select ${organizationId}, seen.day, u.id from seen
      join users u on u.organization_id = ${organizationId} and u.id = seen.user_id, recent
      where u.bot_type is null and not u.is_system and u.erased_at is null
        and seen.day between recent.oldest and recent.today
      on conflict do nothing
    )
    update statistics_cursors set position = ${to} where organization_id = ${organizationId}`);
}

/** Notes the state of the organization today, and who was active lately. The caller holds the cursor. */
export async function noteDay(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await insertPresent(tx, organizationId);
  await upsertState(tx, organizationId);
  await upsertActivePeople(tx, organizationId);
  await tx.query(sql`
    update statistics_cursors set counted_at = now() where organization_id = ${organizationId}`);
}

async function insertPresent(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`
    insert into active_days (organization_id, day, user_id)
    select p.organization_id, (p.last_active_at at time zone 'utc')::date, p.user_id
    from statistics_cursors c
    join organizations o on o.id = c.organization_id
    join presences p on p.organization_id = c.organization_id
    join users u on u.organization_id = p.organization_id and u.id = p.user_id
    where c.organization_id = ${organizationId}
      and not coalesce((o.settings ->> ${organizationSettings.presenceDisabled.name}::text)::boolean, false)
      and p.update_id > coalesce((extract(epoch from c.counted_at) * 1000)::bigint - ${PRESENCE_OVERLAP_MS}::bigint, 0)
      and p.last_active_at <= now()
      and (p.last_active_at at time zone 'utc')::date >= (now() at time zone 'utc')::date - ${RECENT_DAYS}::int
      and u.bot_type is null and not u.is_system and u.erased_at is null
    on conflict do nothing`);
}

async function upsertState(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  const { owner, administrator, moderator, member, guest } = roles;
  await tx.query(sql`
    insert into statistics_days (organization_id, day, owners, administrators, moderators, members, guests,
      deactivated_people, bots, public_channels, private_channels, archived_channels, upload_bytes)
    select ${organizationId}, (now() at time zone 'utc')::date, accounts.*, places.*,
      coalesce((select used from upload_space where organization_id = ${organizationId}), 0)
    from (
      select count(*) filter (where is_person and is_active and role = ${owner}),
        count(*) filter (where is_person and is_active and role = ${administrator}),
        count(*) filter (where is_person and is_active and role = ${moderator}),
        count(*) filter (where is_person and is_active and role = ${member}),
        count(*) filter (where is_person and is_active and role = ${guest}),
        count(*) filter (where is_person and not is_active),
        count(*) filter (where not is_person and is_active)
      from (
        select role, bot_type is null as is_person, deactivated_at is null as is_active from users
        where organization_id = ${organizationId} and not is_system
      ) as each_account
    ) as accounts, (
      select count(*) filter (where archived_at is null and not is_private),
        count(*) filter (where archived_at is null and is_private),
        count(*) filter (where archived_at is not null)
      from channels where organization_id = ${organizationId}
    ) as places
    on conflict (organization_id, day) do update set
      owners = excluded.owners, administrators = excluded.administrators, moderators = excluded.moderators,
      members = excluded.members, guests = excluded.guests, deactivated_people = excluded.deactivated_people,
      bots = excluded.bots, public_channels = excluded.public_channels,
      private_channels = excluded.private_channels, archived_channels = excluded.archived_channels,
      upload_bytes = excluded.upload_bytes`);
}

/**
 * Each person has the last days as bits, the lowest for today. So the rows are read once for all of
 * the recent days.
 */
async function upsertActivePeople(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`
    with today as (
      select (now() at time zone 'utc')::date as day
    ), people as materialized (
      select a.user_id, bit_or(1::bigint << (today.day - a.day)) as days from active_days a, today
      where a.organization_id = ${organizationId} and a.day <= today.day
        and a.day > today.day - ${ACTIVE_DAYS_KEPT}::int
      group by a.user_id
    ), counted as (
      select today.day - back.days as day,
        count(p.user_id) filter (where p.days >> back.days & 1 <> 0) as in_1,
        count(p.user_id) filter (where p.days >> back.days & ((1 << 7) - 1) <> 0) as in_7,
        count(p.user_id) filter (where p.days >> back.days & ((1 << 28) - 1) <> 0) as in_28
      from today, generate_series(0, ${RECENT_DAYS}::int) as back (days)
      left join people p on true
      group by 1
    )
    insert into statistics_days as d
      (organization_id, day, active_people, active_people_7_days, active_people_28_days)
    select ${organizationId}, n.day, n.in_1,
      case when n.day - 6 >= c.active_since then n.in_7 end,
      case when n.day - 27 >= c.active_since then n.in_28 end
    from counted n, statistics_cursors c, organizations o
    where c.organization_id = ${organizationId} and o.id = ${organizationId}
      and n.day >= greatest(c.active_since, (o.created_at at time zone 'utc')::date)
    on conflict (organization_id, day) do update set active_people = excluded.active_people,
      active_people_7_days = excluded.active_people_7_days,
      active_people_28_days = excluded.active_people_28_days`);
}

/** What is counted of a day. null: it is not known. */
export interface StatisticsDay {
  day: string;
  publicMessages: number;
  privateMessages: number;
  directMessages: number;
  /** How many of all these bots sent. */
  botMessages: number;
  activePeople: number | null;
  activePeople7Days: number | null;
  activePeople28Days: number | null;
  owners: number | null;
  administrators: number | null;
  moderators: number | null;
  members: number | null;
  guests: number | null;
  deactivatedPeople: number | null;
  bots: number | null;
  publicChannels: number | null;
  privateChannels: number | null;
  archivedChannels: number | null;
  /** In bytes. */
  uploadBytes: number | null;
}

/** The first and the last day. */
export interface Window {
  from: string;
  to: string;
}

/** When everything was last counted. undefined: never. */
export async function findCountedAt(
  db: Queryable,
  organizationId: OrganizationId,
): Promise<Date | undefined> {
  const [row] = await db.query<{ countedAt: Date | null }>(sql`
    select counted_at as "countedAt" from statistics_cursors where organization_id = ${organizationId}`);
  return row?.countedAt ?? undefined;
}

/** Days of which nothing is known are left out. */
export async function listDays(
  db: Queryable,
  organizationId: OrganizationId,
  { from, to }: Window,
): Promise<StatisticsDay[]> {
  return db.query(sql`
    select day::text as day, public_messages as "publicMessages", private_messages as "privateMessages",
      direct_messages as "directMessages", bot_messages as "botMessages", active_people as "activePeople",
      active_people_7_days as "activePeople7Days", active_people_28_days as "activePeople28Days", owners,
      administrators, moderators, members, guests, deactivated_people as "deactivatedPeople", bots,
      public_channels as "publicChannels", private_channels as "privateChannels",
      archived_channels as "archivedChannels", upload_bytes as "uploadBytes"
    from statistics_days
    where organization_id = ${organizationId} and day between ${from}::date and ${to}::date order by day`);
}

/** The messages of each channel that has any in the window, the most first. */
export async function listChannelMessages(
  db: Queryable,
  organizationId: OrganizationId,
  { from, to }: Window,
): Promise<{ channelId: ChannelId; messages: number }[]> {
  return db.query(sql`
    select channel_id as "channelId", sum(messages)::bigint as messages from statistics_channel_days
    where organization_id = ${organizationId} and day between ${from}::date and ${to}::date
    group by channel_id order by 2 desc, 1`);
}

/** Deletes some rows of days that no figure needs. Returns how many. */
export async function deleteOldActiveDays(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from active_days where ctid = any(array(
      select ctid from active_days
      where day <= (now() at time zone 'utc')::date - ${ACTIVE_DAYS_KEPT}::int limit ${limit}))
    returning 1`);
  return rows.length;
}

/** Deletes some rows of more than so many days ago. Returns how many. */
export async function deleteOldChannelDays(
  db: Queryable,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const rows = await db.query(sql`
    delete from statistics_channel_days where ctid = any(array(
      select ctid from statistics_channel_days
      where day <= (now() at time zone 'utc')::date - ${days}::int limit ${limit}))
    returning 1`);
  return rows.length;
}

/** The size of somebody's files, or of those in a channel. */
export interface StorageShare<Id extends number> {
  id: Id;
  bytes: number;
}

/** Everybody with uploads, the most first. */
export async function listStorageOfPeople(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<StorageShare<UserId>[]> {
  return tx.query(sql`
    select owner_id as id, sum(size)::bigint as bytes from uploads
    where organization_id = ${organizationId} group by owner_id order by bytes desc, id`);
}

/** All channels whose messages link uploads, the most first. A file counts once in each. */
export async function listStorageOfChannels(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<StorageShare<ChannelId>[]> {
  return tx.query(sql`
    with linked as (
      select distinct l.upload_id, m.recipient_id from message_uploads l
      join messages m on m.organization_id = l.organization_id and m.id = l.message_id
      where l.organization_id = ${organizationId} and m.topic_id is not null
    )
    select linked.recipient_id as id, sum(u.size)::bigint as bytes from linked
    join uploads u on u.organization_id = ${organizationId} and u.id = linked.upload_id
    group by linked.recipient_id order by bytes desc, id`);
}
