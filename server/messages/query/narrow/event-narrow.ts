import { isEmptyTopicName, isResolvedTopic } from "../../../../api/channels/topic-name.ts";
import { foldName } from "../../../../api/fold-name.ts";
import type { ChannelId } from "../../../../api/ids.ts";
import { channels } from "../../../channels/channel.ts";
import { subscribers } from "../../../channels/subscriptions/subscribers.ts";
import { findKnownByEmail } from "../../../people/access/access.ts";
import { canAccessUserId } from "../../../people/access/user-access.ts";
import { users } from "../../../people/user.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Queue, QueueOptions } from "../../../platform/queues/queue.ts";
import type { MessagePayload } from "../../delivery/message-log.ts";

/** The operators that a queue's narrow may have (spec E20 `narrow`). */
export const eventNarrowOperators: ReadonlySet<string> = new Set([
  "channel",
  "stream",
  "topic",
  "subject",
  "sender",
  "from",
  "is",
]);

/**
 * Whether a message event matches a queue's narrow: every pair must match. `flags` are the message's flags
 * for the queue's user. A narrow on a channel gives nothing to a user who is not subscribed to it, whatever
 * else the queue asks for (spec E20).
 */
export function matchesEventNarrow(
  state: OrganizationState,
  payload: MessagePayload,
  queue: Queue,
  flags: readonly string[],
): boolean {
  return queue.options.narrow.every(([operator, operand]) =>
    operator === "is" ? isKind(payload, flags, operand) : matches(state, payload, queue, operator, operand),
  );
}

function matches(
  state: OrganizationState,
  payload: MessagePayload,
  queue: Queue,
  operator: string,
  operand: string,
): boolean {
  const { message, userIds } = payload;
  switch (operator) {
    case "channel":
    case "stream": {
      if (userIds) return false;
      const channelId = message.recipientId as ChannelId;
      return isChannelNamed(state, channelId, operand) && state.get(subscribers).has(channelId, queue.userId);
    }
    case "topic":
    case "subject": {
      const topic = isEmptyTopicName(operand) ? "" : operand;
      return !userIds && foldName(message.topic) === foldName(topic);
    }
    case "sender":
    case "from": {
      const reader = state.get(users).byId.get(queue.userId);
      if (!reader) return false;
      if (String(message.senderId) === operand) return canAccessUserId(state, reader, message.senderId);
      return findKnownByEmail(state, reader, operand)?.id === message.senderId;
    }
    default:
      return false;
  }
}

const CHANNEL_OPERATORS = new Set(["channel", "stream"]);

/**
 * A narrow as a queue keeps it: a channel by its id, so that a new name of the channel, or another channel
 * with its old name, changes nothing. A channel that does not exist stays as it was named.
 */
export function withChannelIds(
  state: OrganizationState,
  narrow: QueueOptions["narrow"],
): QueueOptions["narrow"] {
  return narrow.map(([operator, operand]) => {
    const channel = CHANNEL_OPERATORS.has(operator) ? state.get(channels).findNamed(operand) : undefined;
    return [operator, channel ? String(channel.id) : operand];
  });
}

/** Queues that an older version registered, and those for channels that did not exist, have names. */
function isChannelNamed(state: OrganizationState, channelId: ChannelId, operand: string): boolean {
  if (/^\d+$/.test(operand)) return String(channelId) === operand;
  return state.get(channels).findByName(operand.trim())?.id === channelId;
}

/** The flag that tests an `is:` operand. */
const flagOfKind = new Map([
  ["mentioned", "mentioned"],
  ["alerted", "has_alert_word"],
  ["starred", "starred"],
]);

function isKind({ message, userIds }: MessagePayload, flags: readonly string[], kind: string): boolean {
  switch (kind) {
    case "dm":
    case "private":
      return userIds !== null;
    case "unread":
      return !flags.includes("read");
    case "resolved":
      return isResolvedTopic(message.topic);
    default:
      return flags.includes(flagOfKind.get(kind) ?? "");
  }
}
