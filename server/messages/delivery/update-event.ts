/**
 * Who learns about a change to messages, and what they learn. People who could read the messages before and
 * still can get the change. People who can't read them any more get a deletion. People who could not read
 * them in the old place get no event, and find them when they open the new place.
 */
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { canReadChannel, canReadHistory } from "../../channels/access.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Audience } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { appendDeletion, type DeletedMessage } from "../delete/events.ts";
import { appendRendering, appendUpdate, type FlagDetails, type MessageChange } from "../edit/events.ts";
import { listMentioningMany } from "../edit/store.ts";
import type { FetchedRow } from "../model/message.ts";
import type { Move } from "../move/move.ts";
import { listFetched, listReceivers, listStarHolders } from "../query/fetch.ts";
import { announceOwnStars, announceRead, type OwnStars } from "../read-state/events.ts";
import { findUnreadBefore } from "../read-state/ranges.ts";
import { lockPlaces } from "../read-state/read-state-lock.ts";
import { audiencesOfChange, toAllPublicListenersOf, toReadersOf } from "./audiences.ts";
import { findReaderGroups } from "./reader-groups.ts";

const MAX_MENTIONING = 100;

export async function announceUpdate(
  tx: ViewerChange,
  row: FetchedRow,
  change: MessageChange,
): Promise<void> {
  const { move } = change;
  // The read states in the event must still hold at the commit: clients take them as newer than earlier
  // events.
  const { topicId, recipientId } = row;
  await lockPlaces(tx, tx.state.organizationId, [topicId ?? recipientId, ...(move ? [move.to.topicId] : [])]);
  const details = new Map<MessageId, Promise<FlagDetails>>();
  const append: Append = async (ids, audience, concerned) => {
    // A user may be able to read other messages that moved, but not the one that was named.
    const id = ids.includes(row.id) ? row.id : (ids[0] as MessageId);
    const known = details.get(id) ?? detailsOf(tx, row, change, id, concerned);
    details.set(id, known);
    appendUpdate(tx, tx.viewer, row, change, { id, ids, details: await known }, audience);
  };
  if (move && move.from.channel.id !== move.to.channel.id) {
    await announceChannelMove(tx, row, move, append);
    return;
  }
  const ids = move ? move.ids : [row.id];
  const placed = ids.map((id) => ({ id, recipientId: row.recipientId, userIds: row.userIds }));
  const audiences = await audiencesOfChange(tx.state, tx, placed, tx.viewer.user.id);
  const concerned = concernedIn(audiences);
  for (const { audience, messages } of audiences) {
    await append(
      messages.map(({ id }) => id),
      audience,
      concerned,
    );
  }
}

/**
 * Announces that a message looks different, to the people who would get an edit of it. Nobody has changed it,
 * so their flags are as they were.
 */
export async function announceRendering(tx: Change, row: FetchedRow, renderedContent: string): Promise<void> {
  await lockPlaces(tx, tx.state.organizationId, [row.topicId ?? row.recipientId]);
  const audiences = await audiencesOfChange(tx.state, tx, [row], undefined);
  const concerned = concernedIn(audiences);
  const groups = await findReaderGroups(tx, row, row, concerned);
  const details: FlagDetails = { message: loggedMentions(row, row), readers: [], groups };
  for (const { audience } of audiences) appendRendering(tx, row, renderedContent, details, audience);
}

function concernedIn(audiences: readonly { audience: Audience }[]): UserId[] {
  return audiences.flatMap(({ audience }) => (audience.userIds as UserId[] | undefined) ?? []);
}

/**
 * The details of the named message, or of another one that moved with it. `findAffected` has checked that the
 * mover may read those.
 */
async function detailsOf(
  tx: Change,
  row: FetchedRow,
  { content, move }: MessageChange,
  id: MessageId,
  concerned: Iterable<UserId>,
): Promise<FlagDetails> {
  const { organizationId } = tx.state;
  const isNamed = id === row.id;
  const [other] = isNamed ? [row] : await listFetched(tx, organizationId, undefined, id);
  const shown = other as FetchedRow;
  const groups = await findReaderGroups(tx, shown, move ? placeOf(move.to) : row, concerned);
  return { message: loggedMentions(shown, isNamed && content ? content : shown), readers: [], groups };
}

export function loggedMentions(
  { sentAt }: Pick<FetchedRow, "sentAt">,
  mentions: Pick<FetchedRow, "facts" | "mentionedGroupIds" | "mentionedGroupPositions">,
): FlagDetails["message"] {
  const { facts, mentionedGroupIds, mentionedGroupPositions } = mentions;
  return { facts, mentionedGroupIds, mentionedGroupPositions, sentAt: Math.floor(sentAt.getTime() / 1000) };
}

/**
 * A move to another channel changes for whom a mention of everybody or of a group counts. The update has the
 * flags of the named message only. So other messages that mention many are announced one by one, as if they
 * looked different, to people for whom something changes. At most `MAX_MENTIONING` are announced, the newest.
 */
async function announceMentions(
  tx: Change,
  row: FetchedRow,
  { from, to, ids }: Move,
  stays: readonly Group[],
  concerned: Iterable<UserId>,
): Promise<void> {
  const { organizationId } = tx.state;
  const others = ids.filter((id) => id !== row.id);
  if (others.length === 0) return;
  const mentioning = (await listMentioningMany(tx, organizationId, others, MAX_MENTIONING)).reverse();
  const changed = await changedReceivers(tx, { from, to, ids: mentioning });
  for (const id of mentioning) {
    const concerns = (userId: UserId) => changed.has(`${id} ${userId}`);
    const userIds = stays.flatMap((group) => (group.ids.includes(id) ? group.userIds.filter(concerns) : []));
    const [moved] = userIds.length > 0 ? await listFetched(tx, organizationId, undefined, id) : [];
    if (!moved) continue;
    const groups = await findReaderGroups(tx, moved, placeOf(to), concerned);
    const details: FlagDetails = { message: loggedMentions(moved, moved), readers: [], groups };
    appendRendering(tx, moved, moved.renderedContent, details, toReadersOf(to.channel.id, userIds));
  }
}

/** The people who received some of the messages in only one of the channels, as `MESSAGE USER`. */
async function changedReceivers(tx: Change, { from, to, ids }: Pick<Move, "from" | "to" | "ids">) {
  const changed = new Set<string>();
  if (ids.length === 0) return changed;
  for (const { channel } of [from, to]) {
    for (const { userId, messageIds } of await listReceivers(tx, tx.state.organizationId, channel.id, ids))
      for (const id of messageIds) {
        const key = `${id} ${userId}`;
        if (!changed.delete(key)) changed.add(key);
      }
  }
  return changed;
}

/** `concerned`: everybody besides the subscribers who may be in an audience of the change. */
type Append = (ids: readonly MessageId[], audience: Audience, concerned: Iterable<UserId>) => Promise<void>;

async function announceChannelMove(
  tx: ViewerChange,
  row: FetchedRow,
  move: Move,
  append: Append,
): Promise<void> {
  const { state, viewer } = tx;
  const { from, to, ids } = move;
  const readBefore = await readableIn(tx, from.channel, ids);
  const readNow = await readableIn(tx, to.channel, ids);
  const subscribed = state.get(subscribers);
  const holders = await listStarHolders(tx, state.organizationId, ids);
  const concerned = [viewer.user.id, ...holders.map(({ userId }) => userId)];
  const besides = new Set(concerned.filter((userId) => !subscribed.has(from.channel.id, userId)));
  const people = new Set([...subscribed.of(from.channel.id), ...subscribed.of(to.channel.id), ...besides]);
  const stays = new Map<string, Group>();
  const goes = new Map<string, Group>();
  for (const userId of people) {
    const user = state.get(users).byId.get(userId);
    if (!user?.isActive) continue;
    const before = readBefore(userId);
    const now = new Set(readNow(userId));
    collect(
      stays,
      userId,
      before.filter((id) => now.has(id)),
    );
    if (subscribed.has(from.channel.id, userId) || besides.has(userId))
      collect(
        goes,
        userId,
        before.filter((id) => !now.has(id)),
      );
  }
  for (const { userIds, ids } of stays.values())
    await append(ids, toReadersOf(to.channel.id, userIds), people);
  await announceMentions(tx, row, move, [...stays.values()], people);
  await announceReadOutside(tx, move, stays);
  announceOwnStars(tx, starsThatReturn(state, holders, readBefore, readNow));
  const deletion = (ids: readonly MessageId[], audience: Audience) =>
    appendDeletion(
      tx,
      ids.map((id) => whereItWas(id, move)),
      audience,
    );
  for (const { userIds, ids } of goes.values()) deletion(ids, toReadersOf(from.channel.id, userIds));
  if (from.channel.isPrivate) return;
  const both = [from.channel.id, to.channel.id];
  if (to.channel.isPrivate) deletion(ids, toAllPublicListenersOf([from.channel.id], both, [...besides]));
  else await append(ids, toAllPublicListenersOf(both, both, [...besides]), people);
}

/** The stars of people who could not read the messages in the old place and can now. */
function starsThatReturn(
  state: OrganizationState,
  holders: readonly { userId: UserId; starred: readonly MessageId[] }[],
  readBefore: ReadableIn,
  readNow: ReadableIn,
): OwnStars[] {
  return holders.flatMap(({ userId, starred }) => {
    const before = readBefore(userId);
    const now = readNow(userId);
    if (starred.length === 0 || now === before || !state.get(users).byId.get(userId)?.isActive) return [];
    const [had, has] = [new Set(before), new Set(now)];
    const messageIds = starred.filter((id) => has.has(id) && !had.has(id));
    return messageIds.length === 0 ? [] : [{ userId, messageIds }];
  });
}

/**
 * Nothing is unread in a channel without a subscription. So unread messages that moved to such a channel
 * become read for people who can still read them.
 */
async function announceReadOutside(
  tx: Change,
  { from, to, ids }: Move,
  stays: ReadonlyMap<string, Group>,
): Promise<void> {
  const subscribed = tx.state.get(subscribers);
  const userIds = [...stays.values()].flatMap((group) => group.userIds);
  const nonSubscribers = userIds.filter((userId) => !subscribed.has(to.channel.id, userId));
  if (nonSubscribers.length === 0) return;
  const unread = await findUnreadBefore(tx, {
    ids,
    from: { channelId: from.channel.id, topicId: from.topicId },
    userIds: nonSubscribers,
  });
  const groups = new Map<string, Group>();
  for (const { userId, ids } of unread) collect(groups, userId, ids);
  for (const { userIds, ids } of groups.values()) announceRead(tx, userIds, ids);
}

function placeOf({ channel, topicId }: Move["to"]) {
  return { recipientId: channel.id, topicId };
}

interface Group {
  userIds: UserId[];
  ids: readonly MessageId[];
}

function collect(groups: Map<string, Group>, userId: UserId, ids: readonly MessageId[]): void {
  if (ids.length === 0) return;
  const key = ids.join();
  const group = groups.get(key);
  if (group) group.userIds.push(userId);
  else groups.set(key, { userIds: [userId], ids });
}

function whereItWas(id: MessageId, { from }: Move): DeletedMessage {
  return { id, recipientId: from.channel.id, userIds: null, topicId: from.topicId, topic: from.topic };
}

type ReadableIn = (userId: UserId) => readonly MessageId[];

/** Which of the messages a user may read while they are in this channel. */
async function readableIn(tx: Change, channel: Channel, ids: readonly MessageId[]): Promise<ReadableIn> {
  const { state } = tx;
  const user = (userId: UserId) => state.get(users).byId.get(userId);
  const can = (userId: UserId, check: typeof canReadChannel) => {
    const found = user(userId);
    return found !== undefined && check(state, found, channel);
  };
  if (channel.isHistoryShared) return (userId) => (can(userId, canReadHistory) ? ids : []);
  const rows = await listReceivers(tx, state.organizationId, channel.id as ChannelId, ids);
  const received = new Map(rows.map(({ userId, messageIds }) => [userId, messageIds]));
  return (userId) => (can(userId, canReadChannel) ? (received.get(userId) ?? []) : []);
}
