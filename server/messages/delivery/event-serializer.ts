import { messageSent } from "../../../api/events/messages.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { MessageRecord } from "../../../api/messages/message.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { rareVariant, variant } from "../../platform/queues/event-variant.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import { hasFlag, messageFacts, personalFlags } from "../model/message.ts";
import { type MessageForm, presentFlags, presentMessage } from "../model/present.ts";
import { presentSubmessage } from "../model/submessages.ts";
import { matchesEventNarrow } from "../query/narrow/event-narrow.ts";
import { isNoticeReadOf } from "../read-state/read-state.ts";
import { loggedMessage, type MessagePayload } from "./message-log.ts";

/**
 * Serializes message events. Nearly all recipients of a message get one of a few texts, which depend on three
 * properties of the queue. Only a recipient with personal flags or a local echo gets a text of their own,
 * made from the shared message.
 */
export const messageSerializer = serializerOf(loggedMessage, (state, entry, payload, queue) => {
  const flags = flagsFor(state, payload, queue.userId);
  if (queue.options.narrow.length > 0 && !matchesEventNarrow(state, payload, queue, flags)) return undefined;
  const echo = echoFor(payload, queue);
  const number = formNumber(queue);
  if (flags.length === 0 && echo === null) {
    return variant(entry, number, messageSent, () => ({ message: messageFor(state, payload, queue), flags }));
  }
  return rareVariant(entry, JSON.stringify([number, flags, echo]), messageSent, () => ({
    message: messageFor(state, payload, queue),
    flags,
    // COMPAT: clients read local_message_id; the spec calls it local_id (spec Events 4).
    ...(echo === null ? undefined : { local_message_id: echo, local_id: echo }),
  }));
});

/** A sender may name any queue, but only the sender's own queues get the local id. */
function echoFor({ message, localQueueId, localId }: MessagePayload, queue: Queue): string | null {
  return localQueueId === queue.id && queue.userId === message.senderId ? localId : null;
}

function messageFor(state: OrganizationState, payload: MessagePayload, queue: Queue): MessageRecord {
  const message = presentMessage(state, payload.message, payload.userIds, formOf(queue));
  if (payload.submessage) message.submessages = [presentSubmessage(payload.submessage)];
  return payload.added ? Object.assign(message, payload.added) : message;
}

const nothing: string[] = [];

/** An all-public listener has no flags on a message in a channel that they are not subscribed to. */
function flagsFor(state: OrganizationState, payload: MessagePayload, userId: UserId): string[] {
  const { message, personal } = payload;
  const isOwnRead = message.senderId === userId && hasFlag(message.facts, messageFacts.readBySender);
  const concernsAll =
    hasFlag(message.facts, messageFacts.mentionsChannel | messageFacts.readOnArrival) ||
    message.mentionedGroupIds;
  if (!isOwnRead && personal.length === 0 && !concernsAll) return nothing;
  const isRecipient = payload.userIds || state.get(subscribers).has(message.recipientId as ChannelId, userId);
  const own = bitsOf(personal, userId);
  // A bot may be mentioned where it is not subscribed, and nothing is unread there.
  const isCalled = !isRecipient && hasFlag(own, personalFlags.mentioned);
  if (!isOwnRead && !isRecipient && !isCalled) return nothing;
  const isReadNotice = isRecipient && isNoticeReadOf(message, own);
  const isRead = isOwnRead || isCalled || isReadNotice || hasFlag(own, personalFlags.readOnArrival);
  return presentFlags(state, message, userId, own, { isRead, isHistorical: !isRecipient });
}

type Personal = MessagePayload["personal"];

/** With this many people or more, their bits are looked up in a map, since there may be as many queues. */
const MANY_PEOPLE = 20;
const maps = new WeakMap<Personal, ReadonlyMap<number, number>>();

function bitsOf(personal: Personal, userId: UserId): number {
  if (personal.length < MANY_PEOPLE) return personal.find(([id]) => id === userId)?.[1] ?? 0;
  const bits = maps.get(personal) ?? new Map(personal);
  maps.set(personal, bits);
  return bits.get(userId) ?? 0;
}

/** A small number for the queue's form. It is kept on the queue, since it never changes. */
function formNumber(queue: Queue): number {
  if (queue.variant === 0) {
    const form = formOf(queue);
    queue.variant =
      8 | (form.applyMarkdown ? 1 : 0) | (form.clientGravatar ? 2 : 0) | (form.emptyTopicName ? 4 : 0);
  }
  return queue.variant;
}

function formOf(queue: Queue): MessageForm {
  return {
    applyMarkdown: queue.options.applyMarkdown,
    clientGravatar: queue.options.clientGravatar,
    emptyTopicName: queue.can("empty_topic_name"),
  };
}
