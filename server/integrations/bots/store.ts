import type { ChannelId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";

/** What belongs to a bot beside its account. */
export interface BotRow {
  defaultSendingChannelId: ChannelId | null;
  defaultEventsChannelId: ChannelId | null;
  defaultAllPublicChannels: boolean;
  /** Settings of the bot's program, by name. */
  config: Readonly<Record<string, string>>;
  /** What an incoming webhook bot is connected to, or the name of what the server calls. */
  serviceName: string | null;
  /** What the server calls for an outgoing webhook bot. */
  payloadUrl: string | null;
  interface: number;
  tokenEncrypted: Buffer | null;
}

const columns = sql`default_sending_channel_id as "defaultSendingChannelId",
  default_events_channel_id as "defaultEventsChannelId", default_all_public_channels as "defaultAllPublicChannels",
  config, service_name as "serviceName", payload_url as "payloadUrl", interface, token_encrypted as "tokenEncrypted"`;

/** Writes the row of a bot, which may have none yet. */
export async function upsertBot(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  bot: BotRow,
): Promise<void> {
  await tx.query(sql`
    insert into bots (organization_id, user_id, default_sending_channel_id, default_events_channel_id,
      default_all_public_channels, config, service_name, payload_url, interface, token_encrypted)
    values (${organizationId}, ${userId}, ${bot.defaultSendingChannelId}, ${bot.defaultEventsChannelId},
      ${bot.defaultAllPublicChannels}, ${JSON.stringify(bot.config)}, ${bot.serviceName}, ${bot.payloadUrl},
      ${bot.interface}, ${bot.tokenEncrypted})
    on conflict (organization_id, user_id) do update set
      default_sending_channel_id = excluded.default_sending_channel_id,
      default_events_channel_id = excluded.default_events_channel_id,
      default_all_public_channels = excluded.default_all_public_channels, config = excluded.config,
      service_name = excluded.service_name, payload_url = excluded.payload_url, interface = excluded.interface,
      token_encrypted = excluded.token_encrypted`);
}

export async function listBotRows(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<(BotRow & { userId: UserId })[]> {
  return tx.query(
    prepare(sql`
      select user_id as "userId", ${columns} from bots
      where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])`),
  );
}

/** The bots for which one of these channels is a default. */
export async function listBotsOfChannels(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
): Promise<UserId[]> {
  const rows = await tx.query<{ userId: UserId }>(sql`
    select user_id as "userId" from bots
    where organization_id = ${organizationId} and (default_sending_channel_id = any(${channelIds}::bigint[])
      or default_events_channel_id = any(${channelIds}::bigint[]))
    order by user_id`);
  return rows.map(({ userId }) => userId);
}
