/**
 * The messages that a person has received and may read now, or has sent, page by page, for a copy of their
 * own data. The page of the API decides what they may read.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { UNKNOWN_USER_NAME } from "../../../api/people/unknown-user.ts";
import { channels } from "../../channels/channel.ts";
import { findKnownById } from "../../people/access/access.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { listSubmessages } from "../model/submessage-store.ts";
import { listReactions } from "../query/fetch.ts";
import { term } from "../query/narrow/narrow.ts";
import { fetchPage, type Page } from "../query/page/page.ts";
import { OLDEST_ANCHOR } from "../query/page/page-request.ts";
import { messageRecord } from "./record.ts";
import { listOwnEdits, listSent } from "./store.ts";

/** Each message may have 10,000 characters. */
const AT_ONCE = 200;
/** The pause lets other work of the node run in between. */
const PAUSE_MS = 10;

/** Who reads, since a role may change meanwhile. It throws for somebody who may read no more. */
type CurrentPerson = () => Promise<User>;

/**
 * Direct messages, and those of channels while the person was subscribed, with their own ones. The oldest
 * first. Each record has the names of sender and channel as they are now.
 */
export async function* receivedMessages(
  state: OrganizationState,
  currentPerson: CurrentPerson,
  signal?: AbortSignal,
): AsyncGenerator<object> {
  for (let anchor = OLDEST_ANCHOR as number; ; ) {
    signal?.throwIfAborted();
    const reader = { state, user: await currentPerson() };
    const request = { narrow: [], anchor, includeAnchor: false, before: 0, after: AT_ONCE };
    const { page, records } = await state.database.transaction(
      async (tx) => {
        const found = await fetchPage(reader, tx, request);
        return { page: found, records: await present(reader, tx, found) };
      },
      { lane: "background" },
    );
    yield* records;
    const last = page.messages.at(-1)?.row.id;
    if (page.foundNewest || last === undefined) return;
    anchor = last;
    await sleep(PAUSE_MS);
  }
}

/**
 * All that the person wrote, the oldest first, with their own reactions, votes and earlier texts, and nothing
 * that others added. Where they may not read any more, the record has no place: its name may be private, and
 * others may have moved the message there.
 */
export async function* sentMessages(
  state: OrganizationState,
  currentPerson: CurrentPerson,
  { signal, onPage }: { signal?: AbortSignal | undefined; onPage(id: number): Promise<unknown> },
): AsyncGenerator<object> {
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const reader = { state, user: await currentPerson() };
    const own = await state.database.transaction((tx) => readSent(reader, tx, after), { lane: "background" });
    yield* own;
    const last = own.at(-1)?.id;
    if (last === undefined || own.length < AT_ONCE) return;
    after = last;
    await onPage(last);
    await sleep(PAUSE_MS);
  }
}

async function readSent(
  reader: { state: OrganizationState; user: User },
  tx: Queryable,
  after: number,
): Promise<{ id: number }[]> {
  const { state, user } = reader;
  const rows = await listSent(tx, state.organizationId, { senderId: user.id, after, limit: AT_ONCE });
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const readable = await readableAmong(reader, tx, first.id, last.id);
  const ids = rows.map(({ id }) => id);
  const [edits, reactions, submessages] = [
    await listOwnEdits(tx, state.organizationId, user.id, ids),
    await listReactions(tx, state.organizationId, ids),
    await listSubmessages(tx, state.organizationId, ids),
  ];
  const { byId } = state.get(channels);
  return rows.map((row) => {
    const flags = readable.get(row.id);
    const own = {
      reactions: reactions.filter(({ messageId, userId }) => messageId === row.id && userId === user.id),
      submessages: submessages.filter(
        ({ messageId, senderId }) => messageId === row.id && senderId === user.id,
      ),
      flags: flags === undefined ? [] : [{ userId: user.id, flags }],
    };
    const { channel_id, topic, ...record } = messageRecord(row, own) as ReturnType<typeof messageRecord> & {
      channel_id?: number;
      topic?: string;
    };
    const channel = row.userIds === null ? byId.get(row.recipientId as ChannelId) : undefined;
    const isReadable = flags !== undefined;
    return {
      ...record,
      ...(isReadable && row.userIds === null && { channel_id, topic }),
      ...(isReadable && channel && { channel_name: channel.name }),
      ...(row.userIds !== null && {
        // A guest may not know of all who take part.
        user_names: row.userIds.map((id) => findKnownById(state, user, id)?.fullName ?? UNKNOWN_USER_NAME),
      }),
      is_readable: isReadable,
      edits: edits
        .filter(({ messageId }) => messageId === row.id)
        .map(({ editedAt, content }) => ({
          edited_at: Math.floor(editedAt.getTime() / 1000),
          previous_content: content,
        })),
    };
  });
}

/** The flags of the person's own messages between these two that they may read now. */
async function readableAmong(
  reader: { state: OrganizationState; user: User },
  tx: Queryable,
  from: MessageId,
  to: MessageId,
): Promise<Map<MessageId, number>> {
  const narrow = [term("sender", reader.user.id)];
  const found = new Map<MessageId, number>();
  for (let anchor = from - 1; ; ) {
    const request = { narrow, anchor, includeAnchor: false, before: 0, after: AT_ONCE };
    const page = await fetchPage(reader, tx, request);
    for (const { row } of page.messages) found.set(row.id, row.personal);
    const last = page.messages.at(-1)?.row.id;
    // A page with long texts has fewer messages.
    if (page.foundNewest || last === undefined || last >= to) return found;
    anchor = last;
  }
}

async function present(
  { state, user }: { state: OrganizationState; user: User },
  tx: Queryable,
  { messages }: Page,
): Promise<object[]> {
  const ids = messages.map(({ row }) => row.id);
  const reactions = await listReactions(tx, state.organizationId, ids);
  const submessages = await listSubmessages(tx, state.organizationId, ids);
  return messages.map(({ row }) => {
    const additions = {
      reactions: reactions.filter(({ messageId }) => messageId === row.id),
      submessages: submessages.filter(({ messageId }) => messageId === row.id),
      flags: [{ userId: user.id, flags: row.personal }],
    };
    const { byId } = state.get(channels);
    const channel = row.userIds === null ? byId.get(row.recipientId as ChannelId) : undefined;
    return {
      ...messageRecord(row, additions),
      // A guest may not know of all who wrote.
      sender_name: findKnownById(state, user, row.senderId)?.fullName ?? UNKNOWN_USER_NAME,
      ...(channel && { channel_name: channel.name }),
    };
  });
}
