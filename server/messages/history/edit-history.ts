/**
 * The earlier versions of a message, as far as the organization shows them. The history ends at the last move
 * out of a channel that the reader can't read: earlier versions were not written for that reader.
 */
import { setImmediate } from "node:timers/promises";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { ChannelId, MessageId } from "../../../api/ids.ts";
import type { MessageSnapshot } from "../../../api/messages/edit-message.ts";
import type { EditHistoryEntry } from "../../../api/messages/message.ts";
import { channels } from "../../channels/channel.ts";
import { settingOf } from "../../organization/setting.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type EditRow, listEdits } from "../edit/store.ts";
import type { FetchedRow } from "../model/message.ts";
import {
  findSubscriptionIntervals,
  type HistoryAccess,
  historyAccessOf,
  type Reader,
} from "../query/readable/readable-ranges.ts";
import { type DiffWork, diffHtml } from "./html-diff.ts";

type Policy = "all" | "moves" | "none";

/** The most changes of a message in a response. The newest are kept. */
export const MAX_EDITS = 200;
/** The total size of the texts in these changes, over all messages of a response. */
const MAX_EDIT_BYTES = 4 * 1024 * 1024;
/**
 * The limit for the history of one message, where each text comes several times, together with the
 * differences.
 */
export const MAX_HISTORY_BYTES = 4 * 1024 * 1024;
/** The limit for computing the differences in one response: some tens of milliseconds for either part. */
const MAX_DIFF_WORK: Readonly<DiffWork> = { characters: 1_000_000, cells: 4_000_000 };

export function historyPolicy({ state }: Reader): Policy {
  return settingOf(state, organizationSettings.messageEditHistoryVisibilityPolicy) as Policy;
}

/**
 * The changes of these messages that the reader may see, oldest first. If there are many or long ones, the
 * newest.
 */
export async function listVisibleEdits(
  reader: Reader,
  tx: Queryable,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, EditRow[]>> {
  const policy = historyPolicy(reader);
  if (policy === "none" || ids.length === 0) return new Map();
  const edits = await listEdits(tx, reader.state.organizationId, ids, {
    withTexts: policy === "all",
    perMessage: MAX_EDITS,
    bytes: MAX_EDIT_BYTES,
  });
  const canRead = await placeReader(reader, tx, edits);
  const byMessage = new Map<MessageId, EditRow[]>();
  for (const edit of edits) {
    const before = canRead(edit) ? (byMessage.get(edit.messageId) ?? []) : [];
    byMessage.set(edit.messageId, canRead(edit) ? [...before, edit] : []);
  }
  if (policy === "all") return byMessage;
  const moves = [...byMessage].map(
    ([id, list]) => [id, list.filter(({ previousContent }) => previousContent === null)] as const,
  );
  return new Map(moves);
}

/** The entries of a message's `edit_history`, newest first. */
export function presentEditHistory(
  edits: readonly EditRow[],
  { emptyTopicName }: { emptyTopicName: boolean },
): EditHistoryEntry[] {
  const topicName = (topic: string) => topicDisplayName(topic, emptyTopicName);
  return edits
    .map((edit) => ({
      user_id: edit.editorId,
      timestamp: seconds(edit.editedAt),
      ...(hasText(edit) && {
        prev_content: edit.previousContent,
        prev_rendered_content: edit.previousRenderedContent,
      }),
      ...presentMove(edit, topicName),
      ...(edit.topic !== null && { topic: topicName(edit.topic) }),
    }))
    .reverse();
}

/**
 * The message after each change, the original first (spec E5). Versions are computed from the newest back,
 * until the response is full. Other requests are served in between.
 */
export async function presentSnapshots(
  row: FetchedRow,
  edits: readonly EditRow[],
  { emptyTopicName }: { emptyTopicName: boolean },
): Promise<MessageSnapshot[]> {
  const topicName = (topic: string) => topicDisplayName(topic, emptyTopicName);
  let { content, renderedContent } = row;
  let topic = row.topic ?? "";
  const snapshots: MessageSnapshot[] = [];
  const work = { ...MAX_DIFF_WORK };
  let bytesLeft = MAX_HISTORY_BYTES;
  for (const edit of [...edits].reverse()) {
    const snapshot = {
      topic: topicName(topic),
      content,
      rendered_content: renderedContent,
      user_id: edit.editorId,
      timestamp: seconds(edit.editedAt),
      ...presentMove(edit, topicName),
      ...(hasText(edit) && {
        prev_content: edit.previousContent,
        prev_rendered_content: edit.previousRenderedContent,
        content_html_diff: diffHtml(edit.previousRenderedContent, renderedContent, work),
      }),
    };
    bytesLeft -= bytesOf(snapshot);
    // The newest change is always included, however long it is.
    if (bytesLeft < 0 && snapshots.length > 0) break;
    snapshots.push(snapshot);
    content = edit.previousContent ?? content;
    renderedContent = edit.previousRenderedContent ?? renderedContent;
    topic = edit.previousTopic ?? topic;
    await setImmediate();
  }
  snapshots.push({
    topic: topicName(topic),
    content,
    rendered_content: renderedContent,
    user_id: row.senderId,
    timestamp: seconds(row.sentAt),
  });
  return snapshots.reverse();
}

/** A text and its HTML are stored together, or neither is stored. */
function hasText(
  edit: EditRow,
): edit is EditRow & { previousContent: string; previousRenderedContent: string } {
  return edit.previousContent !== null && edit.previousRenderedContent !== null;
}

function bytesOf(snapshot: MessageSnapshot): number {
  return Object.values(snapshot).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 0),
    0,
  );
}

function presentMove(
  edit: EditRow,
  topicName: (topic: string) => string,
): Pick<MessageSnapshot, "prev_topic" | "prev_stream" | "stream"> {
  return {
    ...(edit.previousTopic !== null && { prev_topic: topicName(edit.previousTopic) }),
    ...(edit.previousChannelId !== null &&
      edit.channelId !== null && { prev_stream: edit.previousChannelId, stream: edit.channelId }),
  };
}

/** Returns a test for edits: whether the reader can read the message in its place before that edit. */
async function placeReader(
  reader: Reader,
  tx: Queryable,
  edits: readonly EditRow[],
): Promise<(edit: EditRow) => boolean> {
  const accessByChannel = new Map<ChannelId, HistoryAccess>();
  for (const { previousChannelId: id } of edits) {
    const channel = id === null ? undefined : reader.state.get(channels).byId.get(id);
    if (channel) accessByChannel.set(channel.id, historyAccessOf(reader, channel));
  }
  const partly = [...accessByChannel].filter(([, access]) => access === "received").map(([id]) => id);
  const received = await findSubscriptionIntervals(reader, tx, partly);
  return ({ previousChannelId: id, messageId }) => {
    if (id === null || accessByChannel.get(id) === "all") return true;
    return accessByChannel.get(id) === "received" && received.has(id, messageId);
  };
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
