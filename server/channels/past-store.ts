import type { ChannelId, FolderId, OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";
import type { PastChannel, PastFolder, PastInterval, PastPreferences } from "./past.ts";

export async function insertPastFolders(
  tx: Queryable,
  organizationId: OrganizationId,
  folders: readonly (PastFolder & { renderedDescription: string })[],
): Promise<FolderId[]> {
  const rows = await tx.query<{ id: FolderId }>(sql`
    insert into channel_folders (organization_id, name, description, rendered_description, creator_id, sort_order,
      archived_at)
    select ${organizationId}, f.name, f.description, f."renderedDescription", f."creatorId", f."order",
      case when f."isArchived" then now() end
    from rows from (jsonb_to_recordset(${JSON.stringify(folders)}::jsonb)
      as (name text, description text, "renderedDescription" text, "creatorId" bigint, "order" int,
        "isArchived" boolean)) with ordinality as f
    order by f.ordinality returning id`);
  // Identities are given in the order of the rows.
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export async function insertPastChannels(
  tx: Queryable,
  organizationId: OrganizationId,
  channels: readonly (PastChannel & { renderedDescription: string })[],
): Promise<ChannelId[]> {
  const rows = await tx.query<{ id: ChannelId }>(sql`
    insert into channels (organization_id, name, description, rendered_description, is_private, is_web_public,
      is_history_shared, is_default, topics_policy, message_retention_days, folder_id, creator_id, group_settings,
      created_at, archived_at)
    select ${organizationId}, c.name, c.description, c."renderedDescription", c."isPrivate", c."isWebPublic",
      c."isHistoryShared", c."isDefault", c."topicsPolicy", c."messageRetentionDays", c."folderId", c."creatorId",
      c."groupSettings", c."createdAt", case when c."isArchived" then now() end
    from rows from (jsonb_to_recordset(${JSON.stringify(channels)}::jsonb)
      as (name text, description text, "renderedDescription" text, "isPrivate" boolean, "isWebPublic" boolean,
        "isHistoryShared" boolean, "isDefault" boolean, "topicsPolicy" text, "messageRetentionDays" int,
        "folderId" bigint, "creatorId" bigint, "groupSettings" jsonb, "createdAt" timestamptz,
        "isArchived" boolean)) with ordinality as c
    order by c.ordinality returning id`);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export async function deletePastSubscriptions(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`delete from subscription_preferences where organization_id = ${organizationId}`);
  await tx.query(sql`delete from subscriptions where organization_id = ${organizationId}`);
}

/** Bounds that are the same position share a row of `log_positions`. */
export async function insertPastSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  intervals: readonly PastInterval[],
): Promise<void> {
  await tx.query(sql`
    with given as materialized (
      select * from unnest(${intervals.map(({ channelId }) => channelId)}::bigint[],
        ${intervals.map(({ userId }) => userId)}::bigint[], ${intervals.map(({ after }) => after)}::bigint[],
        ${intervals.map(({ before }) => before)}::bigint[]) as g (channel_id, user_id, after, before)
    ), bound as materialized (
      select position, nextval('log_position_ids') as id from (
        select after as position from given union select before from given where before is not null
      ) positions
    ), placed as (
      insert into log_positions (organization_id, id, position) select ${organizationId}, id, position from bound
    )
    insert into subscriptions (organization_id, channel_id, user_id, from_position_ref, to_position_ref)
    select ${organizationId}, given.channel_id, given.user_id, first.id, last.id
    from given join bound first on first.position = given.after
    left join bound last on last.position = given.before`);
}

export async function insertPastPreferences(
  tx: Queryable,
  organizationId: OrganizationId,
  preferences: readonly PastPreferences[],
): Promise<void> {
  await tx.query(sql`
    insert into subscription_preferences (organization_id, channel_id, user_id, color, is_muted, is_pinned,
      desktop_notifications, audible_notifications, push_notifications, email_notifications,
      wildcard_mentions_notify)
    select ${organizationId}, p."channelId", p."userId", p.color, p."isMuted", p."isPinned",
      p."desktopNotifications", p."audibleNotifications", p."pushNotifications", p."emailNotifications",
      p."wildcardMentionsNotify"
    from jsonb_to_recordset(${JSON.stringify(preferences)}::jsonb)
      as p ("channelId" bigint, "userId" bigint, color text, "isMuted" boolean, "isPinned" boolean,
        "desktopNotifications" boolean, "audibleNotifications" boolean, "pushNotifications" boolean,
        "emailNotifications" boolean, "wildcardMentionsNotify" boolean)`);
}
