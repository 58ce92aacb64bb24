import { messageSent } from "../../../api/events/messages.ts";
import type { ChannelId, MessageId, Position, UserId } from "../../../api/ids.ts";
import type { MessageRecord } from "../../../api/messages/message.ts";
import { roles } from "../../../api/roles.ts";
import { canReadChannelById } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { noteMessage } from "../../channels/history/history.ts";
import { subscribedAt, subscribers } from "../../channels/subscriptions/subscribers.ts";
import { findPastPrivacy } from "../../channels/visibility/past-privacy.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Audience, type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import type { EntryListener, LogSource } from "../../platform/log/log-parts.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent, storedFields } from "../../platform/log/stored-event.ts";
import { type QueueProjection, queuesOf } from "../../platform/queues/organization-queues.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import type { AudienceRule } from "../../platform/queues/queue-parts.ts";
import { storedUpdate } from "../edit/events.ts";
import {
  hasFlag,
  type Message,
  messageFacts,
  messageOf,
  personalFlags,
  toMessage,
} from "../model/message.ts";
import { type LoggedRow, type NewMessage, readMessageLog } from "../model/store.ts";
import { listFirstSubmessages } from "../model/submessage-store.ts";
import type { Submessage } from "../model/submessages.ts";

/**
 * The payload of a message's log entry. Each message has an entry of its own. `messageSerializer` turns it
 * into what queues get.
 */
export type MessagePayload = {
  message: Message;
  /** The people of a direct message. */
  userIds: readonly number[] | null;
  /** Bits of `personalFlags` by person. */
  personal: readonly (readonly [number, number])[];
  localQueueId: string | null;
  localId: string | null;
  /** The submessage that was sent with the message. */
  submessage: Submessage | null;
  /** Only in a replay: what was added to the message since. */
  added?: Partial<Pick<MessageRecord, "reactions" | "submessages">>;
};

export const loggedMessage = storedEvent<MessagePayload>()(messageSent);

/** A new message, with the data that only its log entry has, not its row. */
export interface LoggedMessage extends NewMessage {
  /** The topic's name as messages show it. */
  topic: string;
  /** The people of a direct message. */
  userIds: readonly number[] | null;
}

/** The entry of a message that was just written. `sentAt` is in UNIX seconds. */
export function messageEntry(
  id: MessageId,
  send: LoggedMessage,
  sentAt: number,
  submessage: Submessage | null = null,
): LogEntry {
  return entryOf(messageOf(id, send, send.topic, sentAt), send, send.personal, submessage);
}

function entryOf(
  message: Message,
  { userIds, localQueueId, localId }: Pick<MessagePayload, "userIds" | "localQueueId" | "localId">,
  personal: MessagePayload["personal"],
  submessage: Submessage | null,
): LogEntry {
  return logEntry(
    message.id,
    { type: messageSent.type, message, userIds, personal, localQueueId, localId, submessage },
    audienceOf(message.recipientId as ChannelId, userIds, personal),
  );
}

/** The audience lists people mentioned by name, since a bot may be mentioned where it is not subscribed. */
function audienceOf(
  channelId: ChannelId,
  userIds: readonly number[] | null,
  personal: MessagePayload["personal"],
): Audience {
  if (userIds) return { to: "users", userIds };
  if (personal.length === 0) return { to: "channel_message", channelId };
  const mentioned = personal.filter(([, bits]) => hasFlag(bits, personalFlags.mentioned)).map(([id]) => id);
  return mentioned.length === 0
    ? { to: "channel_message", channelId }
    : { to: "channel_message", channelId, userIds: mentioned };
}

/** The message where it was sent. Later entries of the log move it from there. */
function messageAsSent(row: LoggedRow): Message {
  const message = toMessage(row);
  message.recipientId = row.firstChannelId ?? message.recipientId;
  message.topic = row.firstTopic ?? message.topic;
  return message;
}

export const messageSource: LogSource = {
  async read(tx, organizationId, after, upTo, limit) {
    const rows = await readMessageLog(tx, organizationId, after, upTo, limit);
    const widgets = rows.filter((row) => hasFlag(row.facts, messageFacts.isWidget)).map(({ id }) => id);
    const first = widgets.length > 0 ? await listFirstSubmessages(tx, organizationId, widgets) : [];
    const submessages = new Map(first.map((submessage) => [submessage.messageId, submessage]));
    return rows.map((row) =>
      entryOf(messageAsSent(row), row, row.personal ?? [], submessages.get(row.id) ?? null),
    );
  },
};

/** Channels read nothing of a channel without messages until one is sent there. */
export const noteChannel: EntryListener = (state, { position, payload }) => {
  const fields = storedFields(loggedMessage, payload);
  if (fields?.userIds !== null) return;
  noteMessage(state, fields.message.recipientId as ChannelId, position);
};

/**
 * The audience of a channel message: its subscribers, and the all-public listeners (spec E20). It may list a
 * bot that is mentioned there, and later changes to the message may list more people. Listed people get the
 * event if they can read the channel.
 */
export const channelMessageAudience: AudienceRule = {
  to: "channel_message",
  queues(state, { audience }) {
    const channelId = audience.channelId as ChannelId;
    const listeners = state.get(subscribers).listeners(channelId);
    const allPublic = [...allPublicQueues(state)].filter(
      (queue) => !listeners.has(queue) && canListen(state, channelId, queue),
    );
    const named = [...nonSubscribers(state, audience)];
    const all =
      allPublic.length + named.length === 0 ? listeners : new Set([...listeners, ...allPublic, ...named]);
    return isArchived(state, channelId) ? [...all].filter(knowsOfArchived) : all;
  },
  async reader(state, tx, queue) {
    const wasSubscribed = await subscribedAt(state, tx, queue.userId);
    const couldListenTo = await couldListen(state, tx, queue);
    return ({ audience, position, payload }) => {
      const channelId = audience.channelId as ChannelId;
      // The message may be elsewhere now: the replay filter asks whether it may still be read there.
      if (payload.type === messageSent.type && wasSubscribed(channelId, position)) return true;
      if (isArchived(state, channelId) && !knowsOfArchived(queue)) return false;
      if (couldListenTo(channelId, position)) return true;
      const isPublicToUser = canListen(state, channelId, queue);
      // A user who has left a private channel gets nothing about its messages, even what was addressed to
      // them.
      const isReader = isPublicToUser || state.get(subscribers).has(channelId, queue.userId);
      return (isReader && wasSubscribed(channelId, position)) || isNamed(state, audience, queue.userId);
    };
  },
};

/**
 * The listed people who can read the channel. A replay also passes them the moves to channels that they can't
 * read any more: the replay filter decides what becomes of those.
 */
export const channelReadersAudience: AudienceRule = {
  to: "channel_readers",
  queues(state, { audience }) {
    const queues = namedQueues(state, audience);
    return isArchived(state, audience.channelId as ChannelId) ? [...queues].filter(knowsOfArchived) : queues;
  },
  reader:
    async (state, _tx, queue) =>
    ({ audience, payload }) => {
      const isMove = storedFields(storedUpdate, payload)?.update.new_stream_id !== undefined;
      if (isMove) return (audience.userIds as UserId[]).includes(queue.userId);
      const isKnown = knowsOfArchived(queue) || !isArchived(state, audience.channelId as ChannelId);
      return isKnown && isNamed(state, audience, queue.userId);
    },
};

/** The queues of listed people who are not subscribed. */
function nonSubscribers(state: OrganizationState, audience: Audience): Iterable<Queue> {
  const { channelId, userIds = [] } = audience as Audience & { channelId: ChannelId; userIds?: UserId[] };
  const besides = userIds.filter((userId) => !state.get(subscribers).has(channelId, userId));
  return besides.length === 0 ? [] : namedQueues(state, { to: audience.to, channelId, userIds: besides });
}

function* namedQueues(state: OrganizationState, { channelId, userIds = [] }: Audience): Iterable<Queue> {
  for (const userId of userIds as UserId[]) {
    if (canReadChannelById(state, channelId as ChannelId, userId)) yield* queuesOf(state).ofUser(userId);
  }
}

function isNamed(state: OrganizationState, { channelId, userIds = [] }: Audience, userId: UserId): boolean {
  return (userIds as UserId[]).includes(userId) && canReadChannelById(state, channelId as ChannelId, userId);
}

/** The all-public listeners who may read the channel and are not subscribed to any channel of `besides`. */
export const allPublicAudience: AudienceRule = {
  to: "all_public_listeners",
  queues: (state, entry) =>
    [...allPublicQueues(state)].filter((queue) => isAllPublicListener(state, entry, queue)),
  async reader(state, tx, queue) {
    const couldListenTo = await couldListen(state, tx, queue);
    return (entry) => {
      const { channelIds } = entry.audience as Audience & { channelIds: ChannelId[] };
      return (
        channelIds.every((id) => couldListenTo(id, entry.position)) &&
        isAllPublicListener(state, entry, queue)
      );
    };
  },
};

function isAllPublicListener(state: OrganizationState, { audience }: LogEntry, queue: Queue): boolean {
  const { channelIds, besides } = audience as Audience & Record<"channelIds" | "besides", ChannelId[]>;
  return (
    channelIds.every((id) => canListen(state, id, queue)) &&
    !besides.some((id) => state.get(subscribers).has(id, queue.userId)) &&
    !((audience.exceptIds as UserId[] | undefined) ?? []).includes(queue.userId)
  );
}

/**
 * Notices may still be posted in an archived channel. For clients without the capability the channel does not
 * exist (spec E20).
 */
function isArchived(state: OrganizationState, channelId: ChannelId): boolean {
  return state.get(channels).byId.get(channelId)?.isArchived === true;
}

/** Whether for the queue's client the channel exists, and its user can read it. */
export function canShowChannel(state: OrganizationState, queue: Queue, channelId: ChannelId): boolean {
  const isKnown = knowsOfArchived(queue) || !isArchived(state, channelId);
  return isKnown && canReadChannelById(state, channelId, queue.userId);
}

function knowsOfArchived(queue: Queue): boolean {
  return queue.can("archived_channels");
}

function canListen(state: OrganizationState, channelId: ChannelId, queue: Queue): boolean {
  const user = state.get(users).byId.get(queue.userId);
  const channel = state.get(channels).byId.get(channelId);
  return user !== undefined && user.role < roles.guest && channel?.isPrivate === false;
}

/**
 * Whether the queue asked for all public channels, and this channel was public at the position and still is.
 */
async function couldListen(state: OrganizationState, tx: Queryable, queue: Queue) {
  if (!queue.options.allPublicStreams) return () => false;
  const { channelAt } = await findPastPrivacy(state, tx, queue.cursor);
  return (channelId: ChannelId, position: Position): boolean =>
    canListen(state, channelId, queue) && channelAt(channelId, position)?.isPrivate === false;
}

function allPublicQueues(state: OrganizationState): Iterable<Queue> {
  return state.get(allPublicListeners);
}

/** The queues that asked for all public channels. */
export const allPublicListeners: QueueProjection<Set<Queue>> = {
  name: "all_public_listeners",
  load: async () => new Set<Queue>(),
  apply() {},
  queueAdded(value, queue) {
    if (queue.options.allPublicStreams) value.add(queue);
  },
  queueRemoved(value, queue) {
    value.delete(queue);
  },
};
