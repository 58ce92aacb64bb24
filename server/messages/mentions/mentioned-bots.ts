import type { UserId } from "../../../api/ids.ts";
import { botTypes } from "../../../api/integrations/bots.ts";
import { canReadChannel } from "../../channels/access.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { type User, users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { hasFlag, personalFlags } from "../model/message.ts";
import type { PersonalBits } from "./personal-flags.ts";

/**
 * Whether a mention by name reaches an account in a channel that it is not subscribed to. This holds for
 * bots: a mention calls a bot to the place where its reply is wanted, in any channel that it may read.
 */
export function isMentionedBot(
  state: OrganizationState,
  channel: Channel | undefined,
  userId: UserId,
): boolean {
  const user = state.get(users).byId.get(userId);
  if (!user || !isReadingBot(user) || user.isSystem || !user.isActive || !channel) return false;
  return !state.get(subscribers).has(channel.id, userId) && canReadChannel(state, user, channel);
}

/** An incoming webhook bot reads nothing. */
function isReadingBot({ botType }: User): boolean {
  return botType === botTypes.generic || botType === botTypes.outgoingWebhook;
}

/** The bots that a message calls this way. `personal`: the personal flags of the message. */
export function mentionedBots(
  state: OrganizationState,
  channel: Channel | undefined,
  personal: PersonalBits,
): UserId[] {
  return personal
    .filter(
      ([userId, bits]) => hasFlag(bits, personalFlags.mentioned) && isMentionedBot(state, channel, userId),
    )
    .map(([userId]) => userId);
}
