import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_MESSAGES_A_CALL } from "../../../api/limits.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { readContent } from "../../people/viewer/read.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { type Term, term } from "../query/narrow/narrow.ts";
import { findNewestInTopic } from "../query/newest-in-topic.ts";
import { fetchPageIds } from "../query/page/page.ts";
import { announceFlag } from "./events.ts";
import { markAsRead } from "./mark.ts";
import { keepAllAsRead } from "./ranges.ts";
import { tryShareAllPlaces } from "./read-state-lock.ts";

/**
 * Marks everything that the viewer has received as read: one range for each channel and conversation, however
 * many messages it holds. The event names no messages: the viewer's clients take it for all messages before
 * the event.
 */
export async function markAllRead(viewer: Viewer): Promise<void> {
  const { head, position } = await changeContent(viewer, async (tx) => {
    const { user } = tx.viewer;
    await tryShareAllPlaces(tx, tx.state.organizationId, user.id);
    const written = { head: await keepAllAsRead(tx, user.id), position: 0 };
    announceFlag(tx, [user.id], { op: "add", flag: "read", messages: [], all: true });
    tx.appendRows({
      count: 0,
      async write(_, position) {
        written.position = position;
        return [];
      },
    });
    return written;
  });
  if (position > head + 1) await markReadBetween(viewer, head, position);
}

/**
 * Messages sent while the rows were written, and older than the event, are announced as read. This makes
 * them read.
 */
async function markReadBetween(viewer: Viewer, after: number, before: number): Promise<void> {
  await changeContent(viewer, async (tx) => {
    const range = { anchor: after, includeAnchor: false, before: 0, after: MAX_MESSAGES_A_CALL };
    const reader = { state: tx.state, user: tx.viewer.user };
    const { ids } = await fetchPageIds(reader, tx, { narrow: [term("is", "unread")], ...range });
    await markAsRead(
      tx,
      ids.filter((id) => id < before),
    );
  });
}

/**
 * Marks all unread messages that match as read, in transactions of at most 5,000 messages. If it fails
 * midway, the messages marked so far stay read.
 */
export async function markMatchesRead(viewer: Viewer, narrow: readonly Term[]): Promise<void> {
  const terms = [...narrow, term("is", "unread")];
  let anchor = 0;
  for (let isDone = false; !isDone; ) {
    const request = { narrow: terms, anchor, includeAnchor: false, before: 0, after: MAX_MESSAGES_A_CALL };
    const page = await changeContent(viewer, async (tx) => {
      const found = await fetchPageIds({ state: tx.state, user: tx.viewer.user }, tx, request);
      await markAsRead(tx, found.ids);
      return found;
    });
    anchor = page.ids.at(-1) ?? anchor;
    isDone = page.foundNewest;
  }
}

/** The terms for a topic in which the viewer can read anything; else "No such topic". */
export async function accessTopicTerms(viewer: Viewer, channelId: number, topic: string): Promise<Term[]> {
  const newest = await readContent(viewer.state, viewer, (tx, { state, user }) =>
    findNewestInTopic({ state, user }, tx, channelId, topic),
  );
  if (newest === undefined) throw new ApiError(errors.noSuchTopic, { topic });
  return [term("channel", channelId), term("topic", topic)];
}
