/**
 * What mail to people asks of messages: what came since, what somebody has missed, and what was said before.
 * Nothing else uses this file.
 */
import type { ChannelId, MessageId, OrganizationId, UserId } from "../../api/ids.ts";
import { channels } from "../channels/channel.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { type User, users } from "../people/user.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { listReadableTexts, type Readable } from "./access.ts";
import { findLastSentAt, listIdsBefore, listMentioned } from "./mail-store.ts";
import type { MessageRow } from "./model/columns.ts";
import type { PersonalRow } from "./model/message.ts";
import { findLastBefore, probeFrom } from "./model/store.ts";
import { listPersonal } from "./query/fetch.ts";
import { findFirstSince } from "./query/page/date-anchor.ts";
import { findReadableScope, unreadRangesOf } from "./query/readable/readable-ranges.ts";
import { listBusiestUnread } from "./read-state/busiest-store.ts";

/** The organization's first message sent at that time or later, readable or not. */
export function findFirstMessageSince(
  state: OrganizationState,
  tx: Queryable,
  date: Date,
): Promise<MessageId | undefined> {
  return findFirstSince(tx, state.organizationId, date, state.position);
}

/**
 * The organization's last message sent before that time. undefined: already the first one beyond `after` is
 * newer. That is asked first, since it is nearly always so.
 */
export async function findLastOlder(
  tx: Queryable,
  organizationId: OrganizationId,
  date: Date,
  { after, head }: { after: number; head: number },
): Promise<MessageId | undefined> {
  const next = await probeFrom(tx, organizationId, after + 1, head + 1);
  if (!next || next.sentAt >= date) return undefined;
  const first = await findFirstSince(tx, organizationId, date, head);
  return findLastBefore(tx, organizationId, first ?? head + 1);
}
/** Whether somebody has written anything since then. */
export async function hasWrittenSince(
  state: OrganizationState,
  tx: Queryable,
  userId: UserId,
  date: Date,
): Promise<boolean> {
  const sentAt = await findLastSentAt(tx, state.organizationId, userId);
  return sentAt !== undefined && sentAt > date;
}

/** The newest messages of the same conversation before another one, with their texts. Oldest first. */
export async function listReadableBefore(
  reader: { state: OrganizationState; user: User },
  tx: Queryable,
  row: Pick<MessageRow, "id" | "recipientId" | "topicId">,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<Readable[]> {
  const ids = await listIdsBefore(tx, reader.state.organizationId, row, limit);
  return listReadableTexts(reader, tx, ids, bytes);
}

export interface MentioningMessage {
  row: PersonalRow;
  /**
   * The people whom it mentions by name, or with those who take part in the topic: bits of `personalFlags`.
   */
  mentioned: ReadonlyMap<UserId, number>;
}

/** These messages as they are now, by id. Those that are gone are left out. */
export async function findMentioning(
  state: OrganizationState,
  tx: Queryable,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, MentioningMessage>> {
  const rows = await listPersonal(tx, state.organizationId, undefined, ids);
  const mentioned = await listMentioned(tx, state.organizationId, ids);
  return new Map(
    rows.map((row) => {
      const ofRow = mentioned.filter(({ messageId }) => messageId === row.id);
      return [row.id, { row, mentioned: new Map(ofRow.map(({ userId, personal }) => [userId, personal])) }];
    }),
  );
}

/** A topic with unread messages. */
export interface UnreadTopic {
  channelId: ChannelId;
  topic: string;
  /** The oldest unread message. */
  firstId: MessageId;
  count: number;
  /** Who wrote them, the busiest first. Only a few are listed. */
  senderIds: UserId[];
  senderCount: number;
  /** The number of all topics, also those beyond the limit. */
  topicCount: number;
  messageCount: number;
}

/**
 * The busiest topics of the person's channels, by what they may read now and have not read. The service's own
 * messages and the person's are not counted. Reads memory before the first `await`.
 */
export async function findBusiestUnread(
  state: OrganizationState,
  tx: Queryable,
  user: User,
  { after, limit }: { after: number; limit: number },
): Promise<UnreadTopic[]> {
  const { byId } = state.get(channels);
  const own = [...state.get(subscribers).channelsOf(user.id)].flatMap((id) => byId.get(id) ?? []);
  const service = state.get(users).system();
  const scope = await findReadableScope({ state, user }, tx, { channels: own, conversations: [] });
  const ranges = unreadRangesOf(scope);
  if (ranges.length === 0) return [];
  const withoutSenders = [user.id, ...service.map(({ id }) => id)];
  return listBusiestUnread(tx, { state, user }, { ranges, after, withoutSenders, limit });
}
