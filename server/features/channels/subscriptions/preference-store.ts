import type { ChannelId, OrganizationId, UserId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import type { Preferences } from "../store.ts";

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
