/**
 * The messages that a person has sent or received and may read now, page by page, for a copy of their own
 * data. The page of the API decides what they may read, so the copy never has more than the person can see.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { listSubmessages } from "../model/submessage-store.ts";
import { listReactions } from "../query/fetch.ts";
import { term } from "../query/narrow/narrow.ts";
import { fetchPage, type Page } from "../query/page/page.ts";
import { OLDEST_ANCHOR } from "../query/page/page-request.ts";
import type { Reader } from "../query/readable/readable-ranges.ts";
import { messageRecord } from "./record.ts";

/** Each message may have 10,000 characters. */
const AT_ONCE = 200;
/** The pause lets other work of the node run in between. */
const PAUSE_MS = 10;

/**
 * `received`: in direct messages, and in channels while the person was subscribed, with their own ones.
 * `sent`: their own ones, wherever they may read them.
 */
export type OwnMessages = "received" | "sent";

/** The oldest first. Each record has the names of sender and channel as they are now. */
export async function* ownMessages(
  reader: Reader & { user: NonNullable<Reader["user"]> },
  which: OwnMessages,
  signal?: AbortSignal,
): AsyncGenerator<object> {
  const narrow = which === "sent" ? [term("sender", reader.user.id)] : [];
  for (let anchor = OLDEST_ANCHOR as number; ; ) {
    signal?.throwIfAborted();
    await reader.state.catchUp();
    const request = { narrow, anchor, includeAnchor: false, before: 0, after: AT_ONCE };
    const { page, records } = await reader.state.database.transaction(
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

async function present({ state, user }: Reader, tx: Queryable, { messages }: Page): Promise<object[]> {
  const ids = messages.map(({ row }) => row.id);
  const reactions = await listReactions(tx, state.organizationId, ids);
  const submessages = await listSubmessages(tx, state.organizationId, ids);
  return messages.map(({ row }) => {
    const additions = {
      reactions: reactions.filter(({ messageId }) => messageId === row.id),
      submessages: submessages.filter(({ messageId }) => messageId === row.id),
      flags: user ? [{ userId: user.id, flags: row.personal }] : [],
    };
    const { byId } = state.get(channels);
    const channel = row.userIds === null ? byId.get(row.recipientId as ChannelId) : undefined;
    return {
      ...messageRecord(row, additions),
      sender_name: state.get(users).byId.get(row.senderId)?.fullName,
      ...(channel && { channel_name: channel.name }),
    };
  });
}
