/**
 * Deleting messages. The rows go, with all that hangs on them; their places in the log stay empty. People who
 * could read them get an event with the ids, never with the texts.
 */

import { isEmptyTopicName } from "../../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { accessReadableChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { appendChannelUpdated } from "../../channels/events.ts";
import { channelHistories } from "../../channels/history/history.ts";
import { findTopic } from "../../channels/recipients/topic-store.ts";
import { toThoseWhoSee } from "../../channels/visibility/audiences.ts";
import { deleteLinksOf } from "../../content/uploads/links.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { accessMessage } from "../access.ts";
import { audiencesOfChange } from "../delivery/audiences.ts";
import { findReadableRanges } from "../query/readable/readable-ranges.ts";
import { appendDeletion, type DeletedMessage } from "./events.ts";
import { canDeleteAny, checkDeletion } from "./permissions.ts";
import { countWithin, deleteMessageRows, findFirstId, listTopicMessages, lockMessages } from "./store.ts";

/** Most messages that one transaction deletes. */
export const MAX_DELETED = 1000;
/**
 * Most rows of flags, reactions and edits that one transaction deletes, unless one message has more. Changes
 * of state wait for the transaction, and so does all that waits behind them: 10,000 rows take up to 0.1 s.
 */
const MAX_DELETED_ROWS = 10_000;

/** Deletes one message, if the viewer may (spec States: the life of a message). */
export async function deleteMessage(tx: ViewerChange, messageId: number): Promise<void> {
  const { state, viewer } = tx;
  // The lock comes first. Otherwise the message could move between the checks and its deletion.
  await lockMessages(tx, state.organizationId, [messageId as MessageId]);
  const { row } = await accessMessage({ state, user: viewer.user }, tx, messageId);
  checkDeletion(viewer, row);
  await deleteMessages(tx, [row], viewer.user.id);
  if (row.senderId === viewer.user.id) return;
  const channelId = row.userIds ? undefined : row.recipientId;
  const changes = changesBetween({ sender_id: row.senderId, stream_id: channelId }, {});
  await recordAudit(tx, { action: "message_deleted", targetId: row.id, changes });
}

/**
 * Deletes messages of a topic, the newest first, as many as one transaction may; true when none is left that
 * the viewer can read.
 */
export async function deleteTopic(tx: ViewerChange, channelId: number, name: string): Promise<boolean> {
  const { state, viewer } = tx;
  const channel = accessReadableChannel(viewer, channelId);
  if (!canDeleteAny(viewer, channel)) throw new ApiError(errors.deletingNotAllowed);
  const { organizationId } = state;
  const spelling = isEmptyTopicName(name) ? "" : name.trim();
  const topic = await findTopic(tx, organizationId, channel.id, spelling);
  if (!topic) return true;
  const scope = { channels: [channel], conversations: [], withHistory: true };
  const { ranges } = await findReadableRanges({ state, user: viewer.user }, tx, scope);
  const rows = await listTopicMessages(tx, organizationId, topic.id, ranges, MAX_DELETED + 1);
  const some = await asManyAsOneChange(tx, rows.slice(0, MAX_DELETED));
  const deletedIds = await deleteMessages(tx, some, viewer.user.id);
  if (deletedIds.length > 0) {
    const changes = changesBetween({ message_ids: deletedIds }, {});
    await recordAudit(tx, { action: "topic_deleted", targetId: channel.id, changes });
  }
  return rows.length === some.length;
}

/** Those of the messages, from the first on, that one transaction may delete without holding others up. */
export async function asManyAsOneChange<T extends { id: MessageId }>(
  tx: Change,
  messages: readonly T[],
): Promise<readonly T[]> {
  const ids = messages.map(({ id }) => id);
  return messages.slice(0, await countWithin(tx, tx.state.organizationId, ids, MAX_DELETED_ROWS));
}

/**
 * Deletes messages of any channels and conversations. People who could read them get an event. Messages that
 * are no longer in the given place are left alone. Whether anybody may is for the caller to check. At most
 * MAX_DELETED, so that nobody waits long. Returns the ids of those that were deleted.
 */
export async function deleteMessages(
  tx: Change,
  messages: readonly DeletedMessage[],
  actorId?: UserId,
): Promise<MessageId[]> {
  const { organizationId } = tx.state;
  const firstIds = new Map<ChannelId, MessageId | undefined>();
  // A deletion or move of the messages before these may make another one the first of its channel.
  tx.checkIfMemoryChanges(async (db) => {
    for (const [channelId, firstId] of firstIds) {
      if ((await findFirstId(db, organizationId, channelId)) !== firstId) return false;
    }
    return true;
  });
  // The account that deletes or moves them at the same time waits here and then finds them gone.
  const locked = await lockMessages(
    tx,
    organizationId,
    messages.map(({ id }) => id),
  );
  const places = new Map(locked.map((each) => [each.id, placeOf(each)]));
  const deleted = messages.filter((each) => places.get(each.id) === placeOf(each));
  const deletedIds = new Set(deleted.map(({ id }) => id));
  if (deleted.length === 0) return [];
  const channelIds = new Set(
    deleted.flatMap((each) => (each.userIds ? [] : [each.recipientId as ChannelId])),
  );
  for (const channelId of channelIds)
    firstIds.set(channelId, await findFirstId(tx, organizationId, channelId));
  await deleteLinksOf(tx, [...deletedIds]);
  for (const place of byPlace(deleted)) await announceDeletion(tx, place, actorId);
  await deleteMessageRows(tx, organizationId, [...deletedIds]);
  for (const [channelId, firstId] of firstIds) {
    if (firstId !== undefined && deletedIds.has(firstId))
      firstIds.set(channelId, await announceFirstMessage(tx, channelId));
  }
  return [...deletedIds];
}

function byPlace(messages: readonly DeletedMessage[]): DeletedMessage[][] {
  const places = new Map<string, DeletedMessage[]>();
  for (const message of messages) pushTo(places, placeOf(message), message);
  return [...places.values()];
}

function placeOf({ recipientId, topicId }: Pick<DeletedMessage, "recipientId" | "topicId">): string {
  return `${recipientId}/${topicId}`;
}

/** Sends each audience an event on the deleted messages of one topic or conversation that it could read. */
async function announceDeletion(
  tx: Change,
  messages: readonly DeletedMessage[],
  actorId: UserId | undefined,
): Promise<void> {
  for (const { audience, messages: readable } of await audiencesOfChange(tx.state, tx, messages, actorId)) {
    appendDeletion(tx, readable, audience);
  }
}

/** A channel object names the channel's first message, which is another one now: it is returned. */
export async function announceFirstMessage(tx: Change, channelId: ChannelId): Promise<MessageId | undefined> {
  const channel = tx.state.get(channels).byId.get(channelId);
  if (!channel) return undefined;
  const find = (db: Queryable) => findFirstId(db, tx.state.organizationId, channelId);
  const first = await find(tx);
  // The next one may be deleted or moved meanwhile, by a change for which it is not the first.
  tx.checkAtCommit(async (db) => (await find(db)) === first);
  appendChannelUpdated(
    tx,
    channel,
    { property: "first_message_id", value: first ?? null },
    toThoseWhoSee(channelId),
    patchOf(channelHistories, [channelId]),
  );
  return first;
}
