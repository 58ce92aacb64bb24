import type { ChannelId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import type { Preferences } from "../store.ts";
import type { MailChoice } from "./mail-choices.ts";

const columns: Record<keyof Preferences, Sql> = {
  color: sql`color`,
  isMuted: sql`is_muted`,
  isPinned: sql`is_pinned`,
  desktopNotifications: sql`desktop_notifications`,
  audibleNotifications: sql`audible_notifications`,
  pushNotifications: sql`push_notifications`,
  emailNotifications: sql`email_notifications`,
  wildcardMentionsNotify: sql`wildcard_mentions_notify`,
};

/**
 * Changes one of a person's settings for a channel and leaves the others, which may be changing at the
 * same moment.
 */
export async function updatePreference(
  tx: Queryable,
  organizationId: OrganizationId,
  row: { userId: UserId; channelId: ChannelId; field: keyof Preferences; value: boolean | string | null },
): Promise<void> {
  const column = columns[row.field];
  await tx.query(sql`
    insert into subscription_preferences (organization_id, user_id, channel_id, ${column})
    values (${organizationId}, ${row.userId}, ${row.channelId}, ${row.value})
    on conflict (organization_id, user_id, channel_id) do update set ${column} = excluded.${column}`);
}

/** The muted channels, with the people who muted them. */
export async function listMutedChannels(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<{ userId: UserId; channelId: ChannelId }[]> {
  return tx.query(sql`
    select user_id as "userId", channel_id as "channelId" from subscription_preferences
    where organization_id = ${organizationId} and is_muted`);
}

/** The choices for these channels: everybody's, or one person's. */
export async function listMailChoices(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
  userId?: UserId,
): Promise<MailChoice[]> {
  const ofWhom = userId === undefined ? sql`` : sql`and user_id = ${userId}`;
  return tx.query(sql`
    select user_id as "userId", channel_id as "channelId", email_notifications as email,
      wildcard_mentions_notify as wildcard
    from subscription_preferences
    where organization_id = ${organizationId} and channel_id = any(${channelIds}::bigint[]) ${ofWhom}
      and (email_notifications is not null or wildcard_mentions_notify is not null)`);
}

/** Returns the channels whose messages the person got by mail by a choice of their own. */
export async function endMailChoices(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<ChannelId[]> {
  const rows = await tx.query<{ id: ChannelId }>(sql`
    update subscription_preferences set email_notifications = false
    where organization_id = ${organizationId} and user_id = ${userId} and email_notifications
    returning channel_id as id`);
  return rows.map(({ id }) => id);
}
