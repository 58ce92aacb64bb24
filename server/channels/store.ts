import type { ChannelId, FolderId, OrganizationId, Position, UserId } from "../../api/ids.ts";
import type { GroupValue } from "../groups/group.ts";
import type { Queryable } from "../platform/db/database.ts";
import { PAGE_ROWS } from "../platform/db/pages.ts";
import { PersonalRows } from "../platform/db/personal-rows.ts";
import { prepare, sql } from "../platform/db/sql.ts";
import type { Channel, PastPrivacy, TopicsPolicy } from "./channel.ts";
import { beganAt, endedAt } from "./subscriptions/interval-bounds.ts";

interface ChannelRow {
  id: ChannelId;
  name: string;
  description: string;
  renderedDescription: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryShared: boolean;
  isDefault: boolean;
  topicsPolicy: TopicsPolicy;
  messageRetentionDays: number | null;
  folderId: FolderId | null;
  creatorId: UserId | null;
  groupSettings: Record<string, GroupValue>;
  createdAt: Date;
  archivedAt: Date | null;
}

const columns = sql`id, name, description, rendered_description as "renderedDescription", is_private as "isPrivate",
  is_web_public as "isWebPublic", is_history_shared as "isHistoryShared", is_default as "isDefault",
  topics_policy as "topicsPolicy", message_retention_days as "messageRetentionDays", folder_id as "folderId",
  creator_id as "creatorId", group_settings as "groupSettings", created_at as "createdAt",
  archived_at as "archivedAt"`;

/** Returns undefined when the name is in use. */
export async function insertChannel(
  tx: Queryable,
  organizationId: OrganizationId,
  channel: Omit<Channel, "id" | "createdAt" | "isArchived">,
): Promise<Channel | undefined> {
  const [row] = await tx.query<ChannelRow>(sql`
    insert into channels (organization_id, name, description, rendered_description, is_private, is_web_public,
      is_history_shared, is_default, topics_policy, message_retention_days, folder_id, creator_id, group_settings)
    values (${organizationId}, ${channel.name}, ${channel.description}, ${channel.renderedDescription},
      ${channel.isPrivate}, ${channel.isWebPublic}, ${channel.isHistoryShared}, ${channel.isDefault},
      ${channel.topicsPolicy}, ${channel.messageRetentionDays}, ${channel.folderId}, ${channel.creatorId},
      ${JSON.stringify(channel.groupSettings)})
    on conflict (organization_id, lower(name)) do nothing
    returning ${columns}`);
  return row && toChannel(row);
}

export async function listChannels(tx: Queryable, organizationId: OrganizationId): Promise<Channel[]> {
  const rows = await tx.query<ChannelRow>(
    sql`select ${columns} from channels where organization_id = ${organizationId} order by id`,
  );
  return rows.map(toChannel);
}

/** The channels that new users are subscribed to. */
export async function listDefaultChannelIds(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<ChannelId[]> {
  const rows = await tx.query<{ id: ChannelId }>(sql`
    select id from channels where organization_id = ${organizationId} and is_default and archived_at is null order by id`);
  return rows.map((row) => row.id);
}

/** Writes every column that can change. Returns false when another channel has the name. */
export async function updateChannelRow(
  tx: Queryable,
  organizationId: OrganizationId,
  channel: Channel,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update channels c
    set name = ${channel.name}, description = ${channel.description},
      rendered_description = ${channel.renderedDescription}, is_private = ${channel.isPrivate},
      is_web_public = ${channel.isWebPublic}, is_history_shared = ${channel.isHistoryShared},
      is_default = ${channel.isDefault}, topics_policy = ${channel.topicsPolicy},
      message_retention_days = ${channel.messageRetentionDays}, folder_id = ${channel.folderId},
      group_settings = ${JSON.stringify(channel.groupSettings)},
      archived_at = case when ${channel.isArchived}::boolean then coalesce(c.archived_at, now()) end
    where c.organization_id = ${organizationId} and c.id = ${channel.id} and (c.name = ${channel.name} or not exists (
      select from channels other
      where other.organization_id = ${organizationId} and fold_name(other.name) = fold_name(${channel.name})
        and other.id <> ${channel.id}))
    returning c.id`);
  return rows.length > 0;
}

/**
 * Subscribes each user to the channel at the same index, from the position on. Current subscriptions stay
 * as they are.
 */
export async function insertSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  pairs: { channelIds: ChannelId[]; userIds: UserId[] },
  positionRef: number,
): Promise<void> {
  await tx.query(sql`
    insert into subscriptions (organization_id, channel_id, user_id, from_position_ref)
    select ${organizationId}, pair.channel_id, pair.user_id, ${positionRef}
    from unnest(${pairs.channelIds}::bigint[], ${pairs.userIds}::bigint[]) as pair (channel_id, user_id)
    on conflict (organization_id, channel_id, user_id) where to_position_ref is null do nothing`);
}

/** Ends current subscriptions at the position. */
export async function endSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  pairs: { channelIds: ChannelId[]; userIds: UserId[] },
  positionRef: number,
): Promise<void> {
  await tx.query(sql`
    update subscriptions s set to_position_ref = ${positionRef}
    from unnest(${pairs.channelIds}::bigint[], ${pairs.userIds}::bigint[]) as pair (channel_id, user_id)
    where s.organization_id = ${organizationId} and s.channel_id = pair.channel_id and s.user_id = pair.user_id
      and s.to_position_ref is null`);
}

/** Ends all current subscriptions to a channel and starts them again, at the position. */
export async function replaceSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  positionRef: number,
): Promise<void> {
  await tx.query(sql`
    with ended as (
      update subscriptions set to_position_ref = ${positionRef}
      where organization_id = ${organizationId} and channel_id = ${channelId} and to_position_ref is null
      returning organization_id, channel_id, user_id
    )
    insert into subscriptions (organization_id, channel_id, user_id, from_position_ref)
    select organization_id, channel_id, user_id, ${positionRef} from ended`);
}

/** A person's own settings for a channel. null: their account's setting. */
export interface Preferences {
  color: string | null;
  isMuted: boolean;
  isPinned: boolean;
  desktopNotifications: boolean | null;
  audibleNotifications: boolean | null;
  pushNotifications: boolean | null;
  emailNotifications: boolean | null;
  wildcardMentionsNotify: boolean | null;
}

export interface PreferencesRow extends Preferences {
  userId: UserId;
  channelId: ChannelId;
}

const preferenceColumns = sql`
  user_id as "userId", channel_id as "channelId", color, is_muted as "isMuted", is_pinned as "isPinned",
  desktop_notifications as "desktopNotifications", audible_notifications as "audibleNotifications",
  push_notifications as "pushNotifications", email_notifications as "emailNotifications",
  wildcard_mentions_notify as "wildcardMentionsNotify"`;

/** The people's own settings for these channels, also from earlier subscriptions. */
export async function listPreferences(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
): Promise<PreferencesRow[]> {
  return tx.query(
    prepare(sql`
      select ${preferenceColumns} from subscription_preferences
      where organization_id = ${organizationId} and channel_id = any(${channelIds}::bigint[])
        and user_id = any(${userIds}::bigint[])
      order by user_id, channel_id`),
  );
}

/** What a person has set for channels, also for those that they have left. */
export const ownPreferences = new PersonalRows<PreferencesRow>(
  (organizationId, userId) => sql`
    select ${preferenceColumns} from subscription_preferences
    where organization_id = ${organizationId} and user_id = ${userId}`,
);

export async function upsertColors(
  tx: Queryable,
  organizationId: OrganizationId,
  rows: { channelIds: ChannelId[]; userIds: UserId[]; colors: string[] },
): Promise<void> {
  await tx.query(sql`
    insert into subscription_preferences (organization_id, channel_id, user_id, color)
    select ${organizationId}, row.channel_id, row.user_id, row.color
    from unnest(${rows.channelIds}::bigint[], ${rows.userIds}::bigint[], ${rows.colors}::text[])
      as row (channel_id, user_id, color)
    on conflict (organization_id, user_id, channel_id) do update set color = excluded.color`);
}

/** The channels that a person was once subscribed to and no longer is. */
export const formerChannels = new PersonalRows<{ id: ChannelId }>(
  (organizationId, userId) => sql`
    select channel_id as id from subscriptions
    where organization_id = ${organizationId} and user_id = ${userId}
    group by channel_id having bool_and(to_position_ref is not null)`,
);

export interface Subscription {
  channelId: ChannelId;
  userId: UserId;
}

/** All subscriptions by pages, in the order of the channels: those after one of them. */
export async function listSubscribers(
  tx: Queryable,
  organizationId: OrganizationId,
  last: Subscription | undefined,
): Promise<Subscription[]> {
  // Two arrays are read several times as fast as rows.
  const [page] = await tx.query<{ channelIds: ChannelId[] | null; userIds: UserId[] | null }>(sql`
    select array_agg(channel_id) as "channelIds", array_agg(user_id) as "userIds" from (
      select channel_id, user_id from subscriptions
      where organization_id = ${organizationId} and to_position_ref is null
        and (channel_id, user_id) > (${last?.channelId ?? 0}::bigint, ${last?.userId ?? 0}::bigint)
      order by channel_id, user_id limit ${PAGE_ROWS}
    ) page`);
  const { channelIds, userIds } = page ?? {};
  return (channelIds ?? []).map((channelId, index) => ({ channelId, userId: userIds?.[index] as UserId }));
}

/** Positions between which a user was subscribed; `to` is null while the subscription lasts. */
export async function listSubscriptionIntervals(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ channelId: ChannelId; from: number; to: number | null }[]> {
  return tx.query(sql`
    select * from (
      select s.channel_id as "channelId", ${beganAt} as "from", ${endedAt} as "to" from subscriptions s
      where s.organization_id = ${organizationId} and s.user_id = ${userId}
      offset 0
    ) interval
    where interval."from" is not null`);
}

/** The privacy changes after a position of the log, in order, with each channel's former privacy. */
export async function listPrivacyChanges(
  tx: Queryable,
  organizationId: OrganizationId,
  after: Position,
): Promise<{ position: Position; before: PastPrivacy }[]> {
  return tx.query(sql`
    select position, state->'channels'->'before' as before from events
    where organization_id = ${organizationId} and position > ${after} and state->'channels' ? 'before'
    order by position`);
}

/** When a user came to know of channels, after a position of the log. */
export async function listChannelGains(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  after: Position,
): Promise<{ position: Position; channelIds: ChannelId[] }[]> {
  return tx.query(sql`
    select position, audience->'channelIds' as "channelIds" from events
    where organization_id = ${organizationId} and position > ${after} and type = 'stream'
      and payload->>'op' = 'create' and audience->>'to' = 'channel_people'
      and audience->'userIds' @> to_jsonb(${userId}::bigint)
    order by position`);
}

/** What peers of a channel were told: who came or left, or whose account was deactivated or reactivated. */
export interface PeerChange {
  position: Position;
  op: string;
  channelIds: ChannelId[];
  userIds: UserId[];
}

/** In the order of the log. The audience tells these from lists for people who get to know of a channel. */
export async function listPeerChanges(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
  after: Position,
  upTo: Position,
): Promise<PeerChange[]> {
  return tx.query(sql`
    select position, payload->>'op' as op, payload->'stream_ids' as "channelIds", payload->'user_ids' as "userIds"
    from events
    where organization_id = ${organizationId} and position > ${after} and position <= ${upTo} and type = 'subscription'
      and audience->>'to' = 'channel_peers' and not audience ? 'clients'
      and exists (
        select from jsonb_array_elements(payload->'stream_ids') as channel (id)
        where channel.id::text::bigint = any(${channelIds}::bigint[]))
    order by position`);
}

function toChannel(row: ChannelRow): Channel {
  const { createdAt, archivedAt, ...rest } = row;
  return { ...rest, createdAt: Math.floor(createdAt.getTime() / 1000), isArchived: archivedAt !== null };
}
