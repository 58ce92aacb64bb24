/**
 * Changing a message's text, its place, or both (spec States, E5). An edit is one transaction with one event
 * per audience. The message's row is locked first, so simultaneous edits run one after the other.
 */
import { createHash } from "node:crypto";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, GroupId, MessageId } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { lockLinks, replaceLinks } from "../../content/uploads/links.ts";
import type { Attachment, Upload } from "../../content/uploads/upload.ts";
import { users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import { accessMessage } from "../access.ts";
import { lockMessages } from "../delete/store.ts";
import { announceUpdate } from "../delivery/update-event.ts";
import { pagesOf, renderWithPages } from "../link-previews/linked-pages.ts";
import { enqueuePreviews } from "../link-previews/show-previews.ts";
import { checkGroupMentions, findMentionPositions } from "../mentions/group-mentions.ts";
import { mentionedBots } from "../mentions/mentioned-bots.ts";
import { type PersonalBits, type PersonalText, personalBitsOf } from "../mentions/personal-flags.ts";
import { accessTopicParticipants, checkChannelWildcard } from "../mentions/wildcard-mentions.ts";
import type { FetchedRow } from "../model/message.ts";
import { messageFacts } from "../model/message.ts";
import { applyMove, type Move, type PropagateMode, prepareMove } from "../move/move.ts";
import { postMoveNotices } from "../move/move-notices.ts";
import { listReceiversAmong } from "../query/fetch.ts";
import { historyAccessOf } from "../query/readable/readable-ranges.ts";
import { shareReadStateLock } from "../read-state/read-state-lock.ts";
import { factBits } from "../send/prepare.ts";
import { type EditText, renderNow } from "./edit-text.ts";
import type { ContentChange } from "./events.ts";
import { checkEdit } from "./permissions.ts";
import { deleteEmptyFlags, insertEdits, replaceTextBits, updateContent } from "./store.ts";

export interface EditRequest {
  text?: EditText | undefined;
  topic?: string | undefined;
  channelId?: number | undefined;
  propagateMode?: PropagateMode | undefined;
  tellsOldThread?: boolean | undefined;
  tellsNewThread?: boolean | undefined;
  previousHash?: string | undefined;
}

/** Facts that do not depend on the text. */
export const LASTING_FACTS = messageFacts.readBySender | messageFacts.isWidget | messageFacts.readOnArrival;

/** Whether a request changes only the text, and so affects no topic or channel that others send to. */
export function isContentOnly({ topic, channelId }: EditRequest): boolean {
  return topic === undefined && channelId === undefined;
}

/** Whether a request is the common one: a new text, and nothing that only a move may say. */
export function isTextOnly(request: EditRequest): boolean {
  const { text, propagateMode = "change_one" } = request;
  return text !== undefined && isContentOnly(request) && propagateMode === "change_one";
}

/** Returns the viewer's uploads that no message links after the edit. */
export async function editMessage(
  tx: ViewerChange,
  messageId: number,
  request: EditRequest,
): Promise<Attachment[]> {
  const { organizationId } = tx.state;
  if (request.channelId !== undefined || request.topic !== undefined)
    await shareReadStateLock(tx, organizationId);
  await lockMessages(tx, organizationId, [messageId as MessageId]);
  const { row } = await accessMessage({ state: tx.state, user: tx.viewer.user }, tx, messageId);
  checkForm(row, request);
  const editedAt = new Date();
  const move = await prepareMove(tx, row, request);
  if (request.text === undefined && !move) throw new ApiError(errors.nothingToEdit);
  if ((request.propagateMode ?? "change_one") !== "change_one" && !move) {
    throw new ApiError(errors.propagationWithoutMove);
  }
  const content =
    request.text && (await changeContentOf(tx, row, request.text, { ...request, move, editedAt }));
  // LOCK: uploads before policies, which a move may change, as sends have them.
  if (move && content) await lockLinks(tx, row.id, content.uploads);
  if (move) await applyMove(tx, move, editedAt);
  await insertMoves(tx, row, { content, move, editedAt });
  await announceUpdate(tx, row, { content, move, editedAt });
  if (content) await deleteEmptyFlags(tx, organizationId, row.id);
  if (move) await postMoveNotices(tx, move, request);
  if (!content) return [];
  const detached = await replaceLinks(tx, { messageId: row.id, sentAt: row.sentAt }, content.uploads);
  return detached.filter(({ ownerId }) => ownerId === tx.viewer.user.id);
}

function checkForm(row: FetchedRow, { text, topic, channelId }: EditRequest): void {
  if (row.userIds) {
    if (topic !== undefined) throw new ApiError(errors.directMessageTopic);
    if (channelId !== undefined) throw new ApiError(errors.directMessageMove);
  }
  const isMove = channelId !== undefined && channelId !== row.recipientId;
  if (text !== undefined && isMove) throw new ApiError(errors.contentAndChannel);
}

async function changeContentOf(
  tx: ViewerChange,
  row: FetchedRow,
  text: EditText,
  {
    previousHash,
    move,
    editedAt,
  }: Pick<EditRequest, "previousHash"> & { move: Move | undefined; editedAt: Date },
): Promise<ContentChange & { uploads: readonly Upload[] }> {
  const { viewer } = tx;
  checkEdit(viewer, row);
  checkPreviousText(row, previousHash);
  const { content } = text;
  const { rendered: plain, uploads } = await renderNow(viewer, tx, text);
  const context = { writer: viewer.user, uploads };
  const { facts: found } = plain;
  const channel = row.userIds ? undefined : tx.state.get(channels).byId.get(row.recipientId as ChannelId);
  if (found.mentionsChannelWildcard && channel) checkChannelWildcard(viewer, channel);
  // After a move, the text is read in the new topic.
  const topicId = move?.to.topicId ?? row.topicId;
  const topicParticipantIds =
    found.mentionsTopicWildcard && topicId
      ? await accessTopicParticipants(viewer, tx, topicId, move?.ids)
      : [];
  if (found.mentionedGroupIds.length > 0) checkGroupMentions(viewer, found.mentionedGroupIds);
  const personal = await personalBitsOfEdit(tx, row, {
    senderId: row.senderId,
    content,
    mentionedUserIds: found.mentionedUserIds,
    topicParticipantIds,
  });
  const linksPages = pagesOf(tx.state, viewer.user, found).length > 0;
  // What is known of a page stays when another part of the text is edited.
  const { html } = linksPages ? await renderWithPages(tx, tx.state, content, context, plain) : plain;
  const groupIds = found.mentionedGroupIds as GroupId[];
  const change = {
    content,
    renderedContent: html,
    facts: factBits(found) | (row.facts & LASTING_FACTS),
    mentionedGroupIds: groupIds.length > 0 ? groupIds : null,
    mentionedGroupPositions: groupIds.length > 0 ? await findMentionPositions(tx, row, groupIds) : null,
  };
  await updateContent(tx, tx.state.organizationId, row.id, { ...change, editedAt });
  await replaceTextBits(tx, tx.state.organizationId, row.id, personal);
  if (linksPages) await enqueuePreviews(tx, tx.state, row.id);
  return { ...change, uploads: [...uploads.values()] };
}

/**
 * The personal flags of a new text: for people who received the message, subscribed now or not, and who can
 * read it where it is. People who subscribed later never got an event for the message.
 */
async function personalBitsOfEdit(tx: Change, row: FetchedRow, text: PersonalText): Promise<PersonalBits> {
  const { state } = tx;
  if (row.userIds) return personalBitsOf(state, text, (userId) => row.userIds?.includes(userId) === true);
  const ofAll = personalBitsOf(state, text, () => true);
  if (ofAll.length === 0) return ofAll;
  const userIds = ofAll.map(([userId]) => userId);
  const channel = state.get(channels).byId.get(row.recipientId as ChannelId) as Channel;
  const mayStay = new Set(mentionedBots(state, channel, ofAll));
  for (const { userId, isHere } of await listReceiversAmong(tx, state.organizationId, row, userIds)) {
    const access = historyAccessOf({ state, user: state.get(users).byId.get(userId) }, channel);
    if (access === "all" || (access === "received" && isHere)) mayStay.add(userId);
  }
  return ofAll.filter(([userId]) => mayStay.has(userId));
}

/**
 * The message that the request names gets one row with all its changes. The other messages that moved get one
 * row each with their move.
 */
export async function insertMoves(
  tx: ViewerChange,
  row: FetchedRow,
  change: { content: ContentChange | undefined; move: Move | undefined; editedAt: Date },
): Promise<void> {
  const { organizationId } = tx.state;
  const { content, move, editedAt } = change;
  const moved = {
    editorId: tx.viewer.user.id,
    editedAt,
    previousContent: null,
    previousRenderedContent: null,
    previousTopic: move && move.from.topic !== move.to.topic ? move.from.topic : null,
    topic: move && move.from.topic !== move.to.topic ? move.to.topic : null,
    previousChannelId: move && isOtherChannel(move) ? move.from.channel.id : null,
    previousTopicId: move && isOtherChannel(move) ? move.from.topicId : null,
    channelId: move && isOtherChannel(move) ? move.to.channel.id : null,
  };
  await insertEdits(tx, organizationId, [row.id], {
    ...moved,
    ...(content && { previousContent: row.content, previousRenderedContent: row.renderedContent }),
  });
  const others = move?.ids.filter((id) => id !== row.id) ?? [];
  if (others.length > 0) await insertEdits(tx, organizationId, others, moved);
}

function isOtherChannel({ from, to }: Move): boolean {
  return from.channel.id !== to.channel.id;
}

/** Throws if the writer has changed another text than this. `previousHash`: of the text that they saw. */
export function checkPreviousText(
  { content }: Pick<FetchedRow, "content">,
  previousHash: string | undefined,
): void {
  if (previousHash !== undefined && previousHash.toLowerCase() !== hashOf(content)) {
    throw new ApiError(errors.contentChanged);
  }
}

function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
