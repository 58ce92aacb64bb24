/**
 * The messages that a person has sent or received and may read now, page by page, for a copy of their own
 * data. The page of the API decides what they may read, so the copy never has more than the person can see.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelId } from "../../../api/ids.ts";
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

/** Each message may have 10,000 characters. */
const AT_ONCE = 200;
/** The pause lets other work of the node run in between. */
const PAUSE_MS = 10;

/**
 * `received`: in direct messages, and in channels while the person was subscribed, with their own ones.
 * `sent`: their own ones, wherever they may read them.
 */
export type OwnMessages = "received" | "sent";

/**
 * The oldest first. Each record has the names of sender and channel as they are now. `currentPerson` says for
 * each page who reads, since a role may change meanwhile, and throws for somebody who may read no more.
 */
export async function* ownMessages(
  state: OrganizationState,
  currentPerson: () => Promise<User>,
  which: OwnMessages,
  signal?: AbortSignal,
): AsyncGenerator<object> {
  for (let anchor = OLDEST_ANCHOR as number; ; ) {
    signal?.throwIfAborted();
    const reader = { state, user: await currentPerson() };
    const narrow = which === "sent" ? [term("sender", reader.user.id)] : [];
    const request = { narrow, anchor, includeAnchor: false, before: 0, after: AT_ONCE };
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
