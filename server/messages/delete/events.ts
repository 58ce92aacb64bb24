/**
 * How clients learn that messages are deleted: what is appended to the log, and the two forms that queues
 * get.
 */

import { EMPTY_TOPIC_DISPLAY_NAME } from "../../../api/channels/topic-name.ts";
import type { FieldsOf } from "../../../api/event.ts";
import { messageDeleted, messagesDeleted } from "../../../api/events/messages.ts";
import type { ChannelId, MessageId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { type Audience, type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { variant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import { knownTopics } from "../send/known-topics.ts";

/** A message to be deleted, and its place. */
export interface DeletedMessage {
  id: MessageId;
  recipientId: RecipientId;
  /** The people of a direct message; null for a channel message. */
  userIds: readonly UserId[] | null;
  /** null for a direct message. */
  topicId: TopicId | null;
  topic: string | null;
}

type DeletedFrom = Omit<FieldsOf<typeof messageDeleted>, "message_id">;
type Deletion = DeletedFrom & ({ message_ids: number[] } | { message_id: number });

const deletion = storedEvent<Deletion>()(messagesDeleted);

/** Announces the deletion of messages of one topic or conversation. */
export function appendDeletion(tx: Change, messages: readonly DeletedMessage[], audience: Audience): void {
  const [first] = messages;
  if (!first) return;
  const from = deletedFrom(first);
  const ids = messages.map(({ id }) => id).sort((a, b) => a - b);
  const patches = first.topicId === null ? [] : [patchOf(knownTopics, [first.topicId])];
  tx.append(deletion, { message_ids: ids, ...from }, audience, ...patches);
  // COMPAT: clients without bulk_message_deletion get one event per message. For a single message one entry
  // serves both kinds of clients.
  if (ids.length === 1) return;
  for (const id of ids) tx.append(deletion, { message_id: id, ...from }, audience);
}

/** In place of an entry: what its reader had of these messages in a topic is gone. */
export function deletionInPlaceOf(
  { position, audience }: LogEntry,
  ids: readonly number[],
  place: { channelId: ChannelId; topic: string },
): LogEntry {
  const from = deletedFrom({ userIds: null, recipientId: place.channelId, topic: place.topic });
  return logEntry(position, { type: deletion.type, message_ids: [...ids], ...from }, audience);
}

function deletedFrom({
  userIds,
  recipientId,
  topic,
}: Pick<DeletedMessage, "userIds" | "recipientId" | "topic">): DeletedFrom {
  if (userIds) return { message_type: "private" };
  return { message_type: "stream", stream_id: recipientId, topic: topic ?? "" };
}

/**
 * For several messages, some queues get the one entry for all of them, and the others get the entry of each.
 */
export const deletionSerializer = serializerOf(deletion, (_state, entry, fields, queue) => {
  const { message_type, stream_id, topic } = fields;
  const ids = "message_ids" in fields ? fields.message_ids : [fields.message_id];
  const hasEmptyName = topic === "" && !queue.can("empty_topic_name");
  const from = {
    message_type,
    ...(stream_id !== undefined && { stream_id }),
    ...(topic !== undefined && { topic: hasEmptyName ? EMPTY_TOPIC_DISPLAY_NAME : topic }),
  };
  const form = hasEmptyName ? 2 : 0;
  if (queue.can("bulk_message_deletion")) {
    if (!("message_ids" in fields)) return undefined;
    return variant(entry, form | 1, messagesDeleted, () => ({ message_ids: ids, ...from }));
  }
  const [id] = ids;
  if (id === undefined || ids.length > 1) return undefined;
  return variant(entry, form, messageDeleted, () => ({ message_id: id, ...from }));
});
