/**
 * Messages of another chat, for an organization that nobody can load yet. Their texts are rendered as those
 * of messages that are sent now. They make no events, and nobody is told of them.
 */
import type { ChannelId, GroupId, MessageId, RecipientId, TopicId, UserId } from "../../api/ids.ts";
import type { Channel } from "../channels/channel.ts";
import { renderContent } from "../content/rendering.ts";
import type { UploadsOfText } from "../content/uploads/links.ts";
import { type User, users } from "../people/user.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { SentRow } from "./model/columns.ts";
import { messageFacts, personalFlags } from "./model/message.ts";
import { insertSubmessage } from "./model/submessage-store.ts";
import { WIDGET_KIND } from "./model/submessages.ts";
import {
  insertPastEdits,
  insertPastFlags,
  insertPastReadStates,
  insertPastRows,
  type PastEditRow,
} from "./past-store.ts";
import { insertReactions } from "./reactions/store.ts";
import { factBits } from "./send/prepare.ts";
import { widgetOf } from "./send/widget.ts";

/** What a person did with a message, or how it names them, as bits. */
export const pastFlags = {
  starred: personalFlags.starred,
  collapsed: personalFlags.collapsed,
  mentioned: personalFlags.mentioned,
  alertWord: personalFlags.alertWord,
  topicMentioned: personalFlags.topicMentioned,
} as const;

export interface PastText {
  /** Visible, and at most `MAX_MESSAGE_LENGTH` characters. */
  content: string;
  senderId: UserId;
  uploads: UploadsOfText;
  /** Whether the text may link a channel: the writer knew of it. */
  canLink(channel: Channel): boolean;
}

export interface PastMessageRow extends PastText {
  id: MessageId;
  sentAt: Date;
  /** null: of a channel message. */
  recipientId: RecipientId;
  topicId: TopicId | null;
  client: string;
  editedAt: Date | null;
  movedAt: Date | null;
  edits: readonly PastEdit[];
  /** Bits of `pastFlags`. */
  flags: readonly (readonly [UserId, number])[];
}

export interface PastEdit extends Omit<PastEditRow, "messageId" | "previousRenderedContent"> {}

/** Writes messages whose ids, in the order of their times, nobody else takes. */
export async function writePastMessages(
  tx: Queryable,
  state: OrganizationState,
  messages: readonly PastMessageRow[],
): Promise<void> {
  const { organizationId } = state;
  const rendered = messages.map((message) => render(state, message));
  await insertPastRows(tx, organizationId, rendered);
  const flags = messages.flatMap(({ id, flags }) =>
    flags.map(([userId, bits]) => ({ messageId: id, userId, bits })),
  );
  if (flags.length > 0) await insertPastFlags(tx, organizationId, flags);
  const edits = messages.flatMap((message) => message.edits.map((edit) => editRow(state, message, edit)));
  if (edits.length > 0) await insertPastEdits(tx, organizationId, edits);
  for (const { id, senderId, widget } of rendered) {
    if (widget === undefined) continue;
    const content = JSON.stringify(widget);
    await insertSubmessage(tx, organizationId, { messageId: id, senderId, kind: WIDGET_KIND, content });
  }
}

function render(state: OrganizationState, message: PastMessageRow) {
  const { html, facts } = renderText(state, message, message.content);
  const widget = widgetOf(message.content);
  const row: SentRow = {
    recipientId: message.recipientId,
    topicId: message.topicId,
    senderId: message.senderId,
    client: message.client,
    content: message.content,
    renderedContent: html,
    facts: factBits(facts) | messageFacts.readBySender | (widget ? messageFacts.isWidget : 0),
    mentionedGroupIds: facts.mentionedGroupIds.length > 0 ? (facts.mentionedGroupIds as GroupId[]) : null,
    localQueueId: null,
    localId: null,
  };
  const { id, sentAt, editedAt, movedAt } = message;
  return { ...row, id, sentAt, editedAt, movedAt, widget };
}

function renderText(state: OrganizationState, { senderId, uploads, canLink }: PastText, content: string) {
  const writer = state.get(users).byId.get(senderId) as User;
  return renderContent(state, content, { writer, uploads, canLink });
}

function editRow(state: OrganizationState, message: PastMessageRow, edit: PastEdit): PastEditRow {
  const { previousContent } = edit;
  const html = previousContent === null ? null : renderText(state, message, previousContent).html;
  return { ...edit, messageId: message.id, previousRenderedContent: html };
}

/** A reaction to a message. `emojiCode` names a custom emoji by its id here. */
export interface PastReaction {
  messageId: MessageId;
  userId: UserId;
  reactionType: string;
  emojiCode: string;
  emojiName: string;
}

/** Those that are there already stay as they are. */
export function writePastReactions(
  tx: Queryable,
  { organizationId }: Pick<OrganizationState, "organizationId">,
  reactions: readonly PastReaction[],
): Promise<void> {
  return insertReactions(tx, organizationId, reactions);
}

/** What a person has read in a channel or conversation: everything up to `head` but these stretches. */
export interface PastReadState {
  userId: UserId;
  recipientId: RecipientId;
  isChannel: boolean;
  /** The first and the last id of each, in their order. */
  unread: readonly (readonly [number, number])[];
}

/** A row with more stretches is a row of an older release, which a job takes apart (decision 59). */
const MAX_STRETCHES = 200;

/** Replaces what was written before. */
export async function writePastReadStates(
  tx: Queryable,
  { organizationId }: Pick<OrganizationState, "organizationId">,
  head: number,
  rows: readonly PastReadState[],
): Promise<void> {
  const values = rows.map(({ userId, recipientId, unread }) => ({
    userId,
    recipientId,
    ranges: rangesOf(head, unread),
  }));
  const long = rows.filter(({ isChannel, unread }) => isChannel && unread.length > MAX_STRETCHES);
  await insertPastReadStates(
    tx,
    organizationId,
    values,
    long.map(({ userId, recipientId }) => ({ userId, channelId: recipientId as number as ChannelId })),
  );
}

function rangesOf(head: number, unread: PastReadState["unread"]): string {
  const ranges: string[] = [];
  let next = 1;
  for (const [first, last] of unread) {
    if (first > next) ranges.push(`[${next},${first})`);
    next = last + 1;
  }
  if (next <= head) ranges.push(`[${next},${head + 1})`);
  return `{${ranges.join()}}`;
}
