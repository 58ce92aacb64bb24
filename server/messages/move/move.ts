/**
 * Moving messages between topics and channels: which messages move, whether the viewer may move them, and
 * what else changes.
 */

import { isTopicResolution, RESOLVED_PREFIX } from "../../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId, TopicId } from "../../../api/ids.ts";
import { moveTopicPolicies } from "../../attention/user-topics/actions.ts";
import { accessChannelForSending, accessReadableChannel } from "../../channels/access.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { findOrMakeTopic, recipients } from "../../channels/recipients/recipients.ts";
import { renameTopic } from "../../channels/recipients/topic-store.ts";
import type { PlacedTopic } from "../../channels/recipients/topics.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { announceFirstMessage } from "../delete/delete.ts";
import { findFirstId, lockMessages } from "../delete/store.ts";
import { checkMove, isPast, moveLimit, type Place } from "../edit/permissions.ts";
import { listTopicFrom, moveMessages, type TopicMessage } from "../edit/store.ts";
import { parseTopic } from "../model/content.ts";
import type { FetchedRow } from "../model/message.ts";
import { hasTopicMessages } from "../model/topic-messages-store.ts";
import { NO_LIMIT, readableOf } from "../query/readable/readable-ranges.ts";
import { carryReadStates, carryReadStatesWithin } from "../read-state/ranges.ts";
import { lockPlaces } from "../read-state/read-state-lock.ts";
import { knownTopics } from "../send/known-topics.ts";
import { movedTopics } from "./moved-topics.ts";

export type PropagateMode = "change_one" | "change_later" | "change_all";

export interface Move {
  from: Place & { topicId: TopicId };
  /** The topic's name as it is shown: an existing topic keeps its spelling. */
  to: Place & { topicId: TopicId };
  mode: PropagateMode;
  /** Only the spelling of the topic's name changes. */
  isRespelling: boolean;
  /** The messages that move, ascending. */
  ids: readonly MessageId[];
  /** Whether no message stays behind. */
  isWholeTopic: boolean;
}

/**
 * Returns the move that a request asks for, if it asks for one. Throws where the viewer may not move the
 * messages. A topic that does not exist yet is created. A topic has one spelling, so moving a part of its
 * messages to another spelling of its name is no move.
 *
 * LOCK: the rows of the messages that move, always in one order, to the end of the transaction.
 */
export async function prepareMove(
  tx: ViewerChange,
  row: FetchedRow,
  request: {
    topic?: string | undefined;
    channelId?: number | undefined;
    propagateMode?: PropagateMode | undefined;
  },
): Promise<Move | undefined> {
  if (row.userIds || (request.topic === undefined && request.channelId === undefined)) return undefined;
  const { state, viewer } = tx;
  const from = {
    channel: state.get(channels).byId.get(row.recipientId as ChannelId) as Channel,
    topic: row.topic ?? "",
  };
  const isOther = request.channelId !== undefined && request.channelId !== from.channel.id;
  const channel = isOther ? accessTarget(viewer, request.channelId as number) : from.channel;
  const to = { channel, topic: parseTarget(state, channel, from.topic, request.topic) };
  if (!isOther && to.topic === from.topic) return undefined;
  if (from.channel.isArchived) throw new ApiError(errors.notAuthorizedToSend, { name: from.channel.name });
  checkMove(viewer, from, to);
  const mode = request.propagateMode ?? "change_one";
  const topicId = row.topicId as TopicId;
  const { ids, isWholeTopic } = await findAffected(tx, row, { from, to, mode });
  // Not in this transaction, which may last: others who write to the new topic would wait for its end.
  const target = await findOrMakeTopic(state, channel.id, to.topic);
  const isRespelling = target.id === topicId;
  if (isRespelling && !isWholeTopic) return undefined;
  return {
    from: { ...from, topicId },
    to: { channel, topic: isRespelling ? to.topic : target.name, topicId: target.id },
    mode,
    isRespelling,
    ids,
    isWholeTopic,
  };
}

/** The empty topic can't be resolved, also where a client has trimmed the name that it sends. */
function parseTarget(
  state: OrganizationState,
  channel: Channel,
  from: string,
  asked: string | undefined,
): string {
  const topic = parseTopic(state, channel, asked ?? from, { isMove: true });
  if (from === "" && topic === RESOLVED_PREFIX.trim()) throw new ApiError(errors.emptyTopicResolved);
  return topic;
}

/** The channel to move to, if the viewer may post there. A channel that they may not know of looks absent. */
function accessTarget(viewer: Viewer, channelId: number): Channel {
  accessReadableChannel(viewer, channelId);
  return accessChannelForSending(viewer, { id: channelId });
}

async function findAffected(
  tx: ViewerChange,
  row: FetchedRow,
  { from, to, mode }: { from: Place; to: Place; mode: PropagateMode },
): Promise<{ ids: MessageId[]; isWholeTopic: boolean }> {
  const { state, viewer } = tx;
  const limit = moveLimit(viewer, from, to);
  if (isPast(row.sentAt, limit)) throw new ApiError(errors.movingTooLate);
  const topicId = row.topicId as TopicId;
  const wanted = await listWanted(tx, row, mode);
  const readable = await readableOf({ state, user: viewer.user }, tx, from.channel, wanted);
  checkAges(readable, limit);
  const locked = await lockMessages(
    tx,
    state.organizationId,
    readable.map(({ id }) => id),
  );
  const ids = locked.map(({ id }) => id);
  const others = unwanted(row.id, mode);
  const isAnyLeft =
    ids.length < wanted.length ||
    (others.length > 0 && (await hasTopicMessages(tx, state.organizationId, topicId, others)));
  return { ids, isWholeTopic: !isAnyLeft };
}

/** The messages that a mode asks to move, readable by the viewer or not. */
async function listWanted(
  tx: Change,
  row: FetchedRow,
  mode: PropagateMode,
): Promise<readonly TopicMessage[]> {
  if (mode === "change_one") return [row];
  const fromId = mode === "change_all" ? 0 : row.id;
  return listTopicFrom(tx, tx.state.organizationId, row.topicId as TopicId, fromId);
}

/** The ID ranges of the topic that a mode leaves alone. */
function unwanted(id: MessageId, mode: PropagateMode): { after: number; before: number }[] {
  if (mode === "change_all") return [];
  const older = { after: 0, before: id };
  return mode === "change_later" ? [older] : [older, { after: id, before: NO_LIMIT }];
}

function checkAges(wanted: readonly TopicMessage[], limit: number | null): void {
  const allowed = wanted.filter(({ sentAt }) => !isPast(sentAt, limit));
  const [first] = allowed;
  if (allowed.length === wanted.length || !first) return;
  throw new ApiError(errors.moveTimeLimit, {
    first_message_id_allowed_to_move: first.id,
    total_messages_in_topic: wanted.length,
    total_messages_allowed_to_move: allowed.length,
  });
}

export async function applyMove(tx: Change, move: Move, at: Date): Promise<void> {
  const { organizationId } = tx.state;
  const { from, to, ids } = move;
  if (move.isRespelling) {
    await renameTopic(tx, organizationId, to.topicId, to.topic);
    tx.appendPatch(patchOf(recipients, [to.channel.id]));
  }
  const isOther = from.channel.id !== to.channel.id;
  const firstIds = new Map<ChannelId, MessageId | undefined>();
  if (isOther) {
    // A deletion or move of the messages before these may make another one the first of its channel.
    tx.checkIfMemoryChanges(async (db) => {
      for (const [id, firstId] of firstIds)
        if ((await findFirstId(db, organizationId, id)) !== firstId) return false;
      return true;
    });
    for (const { channel } of [from, to])
      firstIds.set(channel.id, await findFirstId(tx, organizationId, channel.id));
  }
  const isResolved = !isOther && isTopicResolution(from.topic, to.topic);
  const isMerge = await hasTopicMessages(tx, organizationId, to.topicId, [{ after: 0, before: NO_LIMIT }]);
  await moveMessages(tx, organizationId, ids, {
    channelId: to.channel.id,
    topicId: to.topicId,
    movedAt: isResolved ? undefined : at,
  });
  if (move.isWholeTopic && !move.isRespelling) {
    tx.appendPatch(patchOf(knownTopics, [from.topicId]));
    movedTopics.set(tx, [...(movedTopics.of(tx) ?? []), { from, to }]);
    await moveTopicPolicies(tx, placed(from), placed(to), { isMerge });
  }
  await carryRead(tx, move);
  if (!isOther) return;
  const announce = async (id: ChannelId) => firstIds.set(id, await announceFirstMessage(tx, id));
  const [firstFrom, firstTo] = [firstIds.get(from.channel.id), firstIds.get(to.channel.id)];
  const first = ids[0] as MessageId;
  if (firstFrom !== undefined && ids.includes(firstFrom)) await announce(from.channel.id);
  if (firstTo === undefined || first < firstTo) await announce(to.channel.id);
}

/** LOCK: the read states of both topics, to the end of the transaction. */
async function carryRead(tx: Change, { from, to, ids }: Move): Promise<void> {
  if (from.topicId === to.topicId) return;
  await lockPlaces(tx, tx.state.organizationId, [from.topicId, to.topicId]);
  if (from.channel.id === to.channel.id) {
    await carryReadStatesWithin(tx, { ids, channelId: to.channel.id, from: from.topicId, to: to.topicId });
    return;
  }
  const { id, isHistoryShared } = to.channel;
  await carryReadStates(
    tx,
    { id, isHistoryShared, topicId: to.topicId },
    {
      ids,
      from: { channelId: from.channel.id, topicId: from.topicId },
      userIds: [...tx.state.get(subscribers).of(id)],
    },
  );
}

function placed({ topicId: id, channel, topic: name }: Move["from"]): PlacedTopic {
  return { id, channelId: channel.id, name };
}
