import { ApiError, errors } from "../../api/errors.ts";
import type { ChannelId, MessageId, RecipientId, UserId } from "../../api/ids.ts";
import { type Channel, channels } from "../channels/channel.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { FetchedRow, PersonalRow } from "./model/message.ts";
import { lockMessageForAdding, shareMessage } from "./model/store.ts";
import { listFetched, listFetchedAmong, listPersonal } from "./query/fetch.ts";
import {
  findSubscriptionIntervals,
  type HistoryAccess,
  historyAccessOf,
  type Reader,
} from "./query/readable/readable-ranges.ts";
import type { SubscriptionIntervals } from "./query/readable/subscription-intervals.ts";
import { type ReadState, readStateOf } from "./read-state/read-state.ts";

/** A message that a reader may read, with that reader's read state. */
export interface Readable<Row extends PersonalRow = FetchedRow> extends ReadState {
  row: Row;
  /** Whether the reader can see the message without having received it. */
  isHistorical: boolean;
}

/**
 * Returns the message with this id if the reader may read it. Otherwise throws "Invalid message(s)", as for
 * an id that does not exist.
 */
export async function accessMessage(reader: Reader, tx: Queryable, id: number): Promise<Readable> {
  const rows = await listFetched(tx, reader.state.organizationId, reader.user?.id, id);
  const [message] = await readableAmong(reader, tx, rows);
  if (!message) throw new ApiError(errors.invalidMessage);
  return message;
}

/**
 * Like `accessMessage`, for a reader who is about to add something to the message or remove what they added.
 *
 * LOCK: one addition to a message at a time, so additions have one order in rows and in events. Then the
 * message's row as in `accessMessageToReferTo`. So no addition is left without its message, and no event goes
 * to people who can no longer read the message.
 */
export async function accessMessageToAddTo(reader: Reader, tx: Queryable, id: number): Promise<Readable> {
  await lockMessageForAdding(tx, reader.state.organizationId, id);
  return accessMessage(reader, tx, id);
}

/**
 * Like `accessMessage`, for what depends on the message and is no part of it.
 *
 * LOCK: the message's row, shared with others. The message can't be deleted or changed until the commit.
 */
export async function accessMessageToReferTo(reader: Reader, tx: Queryable, id: number): Promise<Readable> {
  await shareMessage(tx, reader.state.organizationId, id);
  return accessMessage(reader, tx, id);
}

/** A message that a group of changes has found for a person, who may not be allowed to read it. */
export interface FoundMessage {
  id: MessageId;
  recipientId: RecipientId;
  /** The people of a direct message; null for a channel message. */
  userIds: UserId[] | null;
  /** Whether the person was subscribed to its channel when it was sent. */
  wasReceived: boolean;
}

/** Returns the message if the reader may read it. Otherwise throws "Invalid message(s)". */
export function accessFound<Found extends FoundMessage>(reader: Reader, found: Found | undefined): Found {
  if (!found || !canReadFound(reader, found)) throw new ApiError(errors.invalidMessage);
  return found;
}

/** Whether the reader may read the message by memory and by what was found. */
export function canReadFound(reader: Reader, found: FoundMessage): boolean {
  if (found.userIds) return reader.user !== undefined && found.userIds.includes(reader.user.id);
  const channel = reader.state.get(channels).byId.get(found.recipientId as ChannelId);
  const access = channel && historyAccessOf(reader, channel);
  return access === "all" || (access === "received" && found.wasReceived);
}

/** Returns those of these messages that the reader may read, without their texts, in the order of the ids. */
export async function listReadable(
  reader: Reader & { user: { id: UserId } },
  tx: Queryable,
  ids: readonly number[],
): Promise<Readable<PersonalRow>[]> {
  return readableAmong(reader, tx, await listPersonal(tx, reader.state.organizationId, reader.user.id, ids));
}

/** Returns the ids of those of these messages that the reader may read. */
export async function findReadableIds(
  reader: Reader,
  tx: Queryable,
  ids: readonly MessageId[],
): Promise<Set<MessageId>> {
  const rows = await listPersonal(tx, reader.state.organizationId, reader.user?.id, ids);
  return new Set((await readableAmong(reader, tx, rows)).map(({ row }) => row.id));
}

/**
 * The same with their texts, as far as these are smaller together than `bytes`. The first that the reader may
 * read always comes.
 */
export async function listReadableTexts(
  reader: Reader & { user: { id: UserId } },
  tx: Queryable,
  ids: readonly MessageId[],
  bytes: number,
): Promise<Readable[]> {
  if (ids.length === 0) return [];
  const { organizationId } = reader.state;
  return readableAmong(reader, tx, await listFetchedAmong(tx, organizationId, reader.user.id, ids, bytes));
}

/** Adds the reader's read state to rows that the reader may read. */
export function withReadState<Row extends PersonalRow>(
  row: Row,
  userId: UserId | undefined,
  received: SubscriptionIntervals,
): Readable<Row> {
  if (userId === undefined) return { row, isRead: true, isHistorical: true, isEarlier: true };
  const channelId = row.recipientId as ChannelId;
  const since = row.userIds ? 0 : received.since(channelId);
  const isHistorical = row.userIds === null && !received.has(channelId, row.id);
  const { isRead, isEarlier } = readStateOf(userId, row, row, since);
  return { row, isRead, isHistorical, isEarlier };
}

async function readableAmong<Row extends PersonalRow>(
  reader: Reader,
  tx: Queryable,
  rows: readonly Row[],
): Promise<Readable<Row>[]> {
  const accessByChannel = new Map<ChannelId, HistoryAccess>();
  for (const row of rows) {
    const channel = row.userIds ? undefined : channelOf(reader, row);
    if (channel) accessByChannel.set(channel.id, historyAccessOf(reader, channel));
  }
  const received = await findSubscriptionIntervals(reader, tx, [...accessByChannel.keys()]);
  return rows
    .filter((row) => isReadable(reader, row, accessByChannel.get(row.recipientId as ChannelId), received))
    .map((row) => withReadState(row, reader.user?.id, received));
}

function isReadable(
  reader: Reader,
  row: PersonalRow,
  access: HistoryAccess | undefined,
  received: SubscriptionIntervals,
): boolean {
  if (row.userIds) return reader.user !== undefined && row.userIds.includes(reader.user.id);
  return access === "all" || (access === "received" && received.has(row.recipientId as ChannelId, row.id));
}

function channelOf(reader: Reader, row: PersonalRow): Channel | undefined {
  return reader.state.get(channels).byId.get(row.recipientId as ChannelId);
}
