import type { ChannelId } from "../../../api/ids.ts";
import type { BotRecord } from "../../../api/integrations/bots.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { avatarUrl } from "../../people/pictures/picture.ts";
import type { User } from "../../people/user.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type BotDetails, serviceOf } from "./details.ts";
import type { BotRow } from "./store.ts";

/** For whom bots are presented. */
export interface BotReader {
  user: User;
  /** Whether keys and tokens are shown. */
  seesKeys: boolean;
}

/** A bot for a reader who may manage it. */
export function presentBot(
  state: OrganizationState,
  keyring: Keyring,
  { user, seesKeys }: BotReader,
  bot: User,
  details: BotDetails,
): BotRecord {
  return {
    ...presentAccount(state, bot),
    ...(seesKeys && { api_key: keyring.decrypt(details.apiKeyEncrypted) }),
    ...presentDefaults(state, user, details),
    services: presentServices(keyring, details).map(({ token, ...service }) =>
      seesKeys ? { ...service, token } : service,
    ),
  };
}

/** What the server calls for a bot, with the tokens. */
export function presentServices(keyring: Keyring, row: BotRow) {
  const service = serviceOf(keyring, row);
  return service ? [{ base_url: service.url, interface: service.interface, token: service.token }] : [];
}

/** The fields that follow from the bot's account. */
export function presentAccount(state: OrganizationState, bot: User) {
  return {
    user_id: bot.id,
    full_name: bot.fullName,
    email: shownEmail(state, bot),
    bot_type: bot.botType ?? 0,
    avatar_url: avatarUrl(state, bot, false),
    owner_id: bot.botOwnerId,
    is_active: bot.isActive,
  };
}

/** A channel that the reader can no longer see is not named. */
export function presentDefaults(state: OrganizationState, reader: User, row: BotRow) {
  const nameOf = (id: ChannelId | null) => {
    const channel = id === null ? undefined : state.get(channels).byId.get(id);
    return channel && canSeeChannel(state, reader, channel) ? channel.name : null;
  };
  return {
    default_sending_stream: nameOf(row.defaultSendingChannelId),
    default_events_register_stream: nameOf(row.defaultEventsChannelId),
    default_all_public_streams: row.defaultAllPublicChannels,
  };
}
