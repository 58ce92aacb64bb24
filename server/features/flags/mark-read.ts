import { ApiError, errors } from "../../../api/errors.ts";
import { runContentChange } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { Term } from "../messages/query/narrow/narrow.ts";
import { fetchPageIds } from "../messages/query/page/page.ts";
import { MAX_MESSAGES, NEWEST_ANCHOR } from "../messages/query/page/page-request.ts";
import { tryShareReadStateLock } from "../messages/read-state/read-state-lock.ts";
import { currentViewer } from "../users/current-viewer.ts";
import type { Viewer } from "../users/viewer.ts";
import { updateFoundFlags } from "./actions.ts";
import { updateFlagsInNarrow } from "./narrow-change.ts";
import { insertAllRead } from "./store.ts";

/**
 * Marks everything that the viewer has received as read: one range for each channel and conversation, however many messages
 * it holds. Their clients hear it without being told which messages, and take it for whatever came before the event.
 */
export async function markAllRead(viewer: Viewer): Promise<void> {
  const { head, position } = await runContentChange(viewer.state, async (tx) => {
    const { user } = currentViewer(viewer);
    await tryShareReadStateLock(tx, tx.state.organizationId);
    const place = { head: await insertAllRead(tx, tx.state.organizationId, user.id), position: 0 };
    tx.appendRaw(
      { type: "update_message_flags", op: "add", operation: "add", flag: "read", messages: [], all: true },
      toUsers([user.id]),
    );
    tx.appendRows({
      count: 0,
      async write(_, position) {
        place.position = position;
        return [];
      },
    });
    return place;
  });
  if (position > head + 1) await markReadBetween(viewer, head, position);
}

/** What was sent while the rows were written and is older than the event is announced as read, so it must become so. */
async function markReadBetween(viewer: Viewer, after: number, before: number): Promise<void> {
  await runContentChange(viewer.state, async (tx) => {
    const current = currentViewer(viewer);
    const range = { anchor: after, includeAnchor: false, before: 0, after: MAX_MESSAGES };
    const reader = { state: tx.state, user: current.user };
    const { ids } = await fetchPageIds(reader, tx, { narrow: [term("is", "unread")], ...range });
    const messageIds = ids.filter((id) => id < before);
    await updateFoundFlags(tx, current, { op: "add", flag: "read", messageIds });
  });
}

/**
 * Marks all that is unread and matches as read, in transactions of at most 5,000 messages: if it breaks off, what was marked
 * so far stays so.
 */
export async function markMatchesRead(viewer: Viewer, narrow: readonly Term[]): Promise<void> {
  const terms = [...narrow, term("is", "unread")];
  let anchor = 0;
  for (let isDone = false; !isDone; ) {
    const page = { narrow: terms, anchor, includeAnchor: false, before: 0, after: MAX_MESSAGES };
    const { processedIds, foundNewest } = await runContentChange(viewer.state, (tx) =>
      updateFlagsInNarrow(tx, currentViewer(viewer), page, { op: "add", flag: "read" }),
    );
    anchor = processedIds.at(-1) ?? anchor;
    isDone = foundNewest;
  }
}

/** The terms for a topic in which the viewer can read anything; else "No such topic". */
export async function accessTopicTerms(viewer: Viewer, channelId: number, topic: string): Promise<Term[]> {
  const narrow = [term("channel", channelId), term("topic", topic)];
  const newest = { narrow, anchor: NEWEST_ANCHOR, includeAnchor: false, before: 1, after: 0 };
  const { state, user } = viewer;
  const { ids } = await state.database.snapshot((tx) => fetchPageIds({ state, user }, tx, newest));
  if (ids.length === 0) throw new ApiError(errors.noSuchTopic, { topic });
  return narrow;
}

export function term(operator: string, operand: string | number): Term {
  return { operator, operand, isNegated: false };
}
