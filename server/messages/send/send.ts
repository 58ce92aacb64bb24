/**
 * Sending a message. All checks read memory. The database receives one row, in one statement with the
 * messages that other people send at the same moment (batch.ts). If a check no longer holds when the row
 * would be written, nothing is written and all checks run again.
 */

import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, GroupId, MessageId, Position, RecipientId, UserId } from "../../../api/ids.ts";
import type { WidgetContent } from "../../../api/messages/widgets.ts";
import type { MessageFacts } from "../../../markdown/facts.ts";
import { accessChannelForSending, canSeeChannel } from "../../channels/access.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { findConversation } from "../../channels/recipients/conversation-store.ts";
import { findOrMakeConversation, findOrMakeTopic } from "../../channels/recipients/recipients.ts";
import { findTopic, type Topic } from "../../channels/recipients/topic-store.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { Draft, renderTurns } from "../../content/rendering.ts";
import type { UploadsOfText } from "../../content/uploads/links.ts";
import { findKnownByEmail, findKnownById } from "../../people/access/access.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import { readContent } from "../../people/viewer/read.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { newContacts } from "../direct-contacts.ts";
import { pagesOf } from "../link-previews/linked-pages.ts";
import { callsOf } from "../mentions/bot-calls.ts";
import { checkGroupMentions } from "../mentions/group-mentions.ts";
import { isMentionedBot } from "../mentions/mentioned-bots.ts";
import { type PersonalBits, personalBitsOf } from "../mentions/personal-flags.ts";
import { accessTopicParticipants, checkChannelWildcard } from "../mentions/wildcard-mentions.ts";
import { parseContent, parseTopic } from "../model/content.ts";
import { hasFlag, messageFacts } from "../model/message.ts";
import { hasMessages } from "../model/store.ts";
import { findLinkable, mayLinkUploads } from "../uploads/text-uploads.ts";
import { automaticPolicyChanges } from "./automatic-policies.ts";
import { goesAlone, NotForBatch, type Send, SendBatcher, type Sender } from "./batch.ts";
import { canStartConversation, checkDirectPermission } from "./direct-permissions.ts";
import { appendSend, type SendOptions, type Sent, sendAlone } from "./send-alone.ts";
import { widgetOf } from "./widget.ts";

export type Addressee =
  | { kind: "channel"; channel: { id: number } | { name: string }; topic: string }
  | { kind: "direct"; userIds: readonly number[] }
  | { kind: "direct"; emails: readonly string[] };

export interface SendRequest {
  to: Addressee;
  content: string;
  localEcho: { queueId: string; localId: string } | null;
  /** null: decided by the client's name. */
  readBySender: boolean | null;
  /** The poll or task list of the message; by default it is read from the text. */
  widget?: WidgetContent | undefined;
  /** Whether an earlier message of the same change began the topic. By default, the database is asked. */
  isReply?: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The most people that a direct message can go to. */
export const MAX_DIRECT_RECIPIENTS = 200;

/** Clients that show people what they send. */
const READING_CLIENTS = new Set([
  "zulipandroid",
  "zulipios",
  "zulipdesktop",
  "zulipmobile",
  "zulipelectron",
  "zulipterminal",
  "zulipflutter",
  "snipe",
  "website",
  "ios",
  "android",
  "parleyweb",
]);

const batchers = new WeakMap<OrganizationState, SendBatcher>();

export function batcherOf(state: OrganizationState): SendBatcher {
  let batcher = batchers.get(state);
  if (!batcher) {
    batcher = new SendBatcher(state);
    batchers.set(state, batcher);
  }
  return batcher;
}

/** Sends a message and resolves with its id once it is on disk (spec E1). Its event follows from the log. */
export async function sendMessage(viewer: Viewer, request: SendRequest): Promise<MessageId> {
  return (await send(viewer, request)).id;
}

/** How often a send is refused on memory that turns out to be old, before the refusal stands. */
const MAX_OLD_REFUSALS = 3;

/** Like `sendMessage`, and also returns what else the send changed. */
export function send(viewer: Viewer, request: SendRequest): Promise<Sent> {
  return new Promise((resolve, reject) => {
    new Sending(viewer, draftOf(request), resolve, reject).begin();
  });
}

/**
 * A send until it is answered. The promise of `send` is the only one that it needs: a promise for each step,
 * from the checks to the batch, took a tenth of a send.
 */
class Sending implements Sender {
  readonly #viewer: Viewer;
  readonly #draft: SendDraft;
  readonly #resolve: (sent: Sent) => void;
  readonly #reject: (error: unknown) => void;
  #stateHead: Position;
  #refusals = 0;

  constructor(
    viewer: Viewer,
    draft: SendDraft,
    resolve: (sent: Sent) => void,
    reject: (error: unknown) => void,
  ) {
    this.#viewer = viewer;
    this.#draft = draft;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#stateHead = viewer.state.stateHead;
  }

  begin(): void {
    const { state, user } = this.#viewer;
    this.#stateHead = state.stateHead;
    try {
      // When nobody else renders and the ids are in memory, as nearly always, nothing here waits. All checks
      // come after the wait for a turn.
      const prepared = renderTurns.run(user.id, this.#draft.content.length, () => this.check());
      if (prepared instanceof Promise) {
        prepared.then((message) => this.#write(message)).catch((error) => this.failed(error));
      } else {
        this.#write(prepared);
      }
    } catch (error) {
      this.failed(error);
    }
  }

  check(): Send | Promise<Send> {
    return prepare(currentViewer(this.#viewer), this.#draft);
  }

  sent(id: MessageId): void {
    this.#resolve({ id, newPolicy: undefined });
  }

  failed(error: unknown): void {
    const { state } = this.#viewer;
    if (error instanceof NotForBatch) {
      this.begin();
    } else if (!(error instanceof ApiError) || this.#refusals++ === MAX_OLD_REFUSALS) {
      this.#reject(error);
    } else {
      // Another node may have made what the message needs: the channel, a subscription, the account.
      state.catchUp().then(() => {
        if (state.stateHead === this.#stateHead) this.#reject(error);
        else this.begin();
      }, this.#reject);
    }
  }

  #write(message: Send): void {
    const { state } = this.#viewer;
    if (!goesAlone(message)) {
      batcherOf(state).add(message, this);
      return;
    }
    const check = () => this.check();
    sendAlone(state, message, check).then(this.#resolve, (error) => this.failed(error));
  }
}

/**
 * Sends a message as a part of a change, by the checks of this moment. Throws what `send` would throw; the
 * change has then written nothing for the message.
 */
export async function sendWithin(
  tx: Change,
  viewer: Viewer,
  request: SendRequest,
  options: SendOptions = {},
): Promise<void> {
  const draft = draftOf(request);
  const check = () => prepare(currentViewer(viewer), draft);
  await appendSend(tx, await renderTurns.run(viewer.user.id, draft.content.length, check), options);
}

/** A message that could be sent now. */
export interface Sendable {
  /** The people of a direct message include the sender. */
  to: { kind: "channel"; channelId: ChannelId; topic: string } | { kind: "direct"; userIds: UserId[] };
  content: string;
  renderedContent: string;
  readBySender: boolean;
}

/** A text that was rendered before the transaction in which its message is checked. */
export interface PreparedText {
  content: string;
  text: Draft;
  /** The uploads that the text links and the sender may read. */
  uploads: UploadsOfText | undefined;
}

/**
 * Renders a text for `checkSend`. Texts wait for their turns, and a transaction that waits holds a connection
 * and its locks.
 */
export async function prepareText(viewer: Viewer, content: string): Promise<PreparedText> {
  const render = async (prepared: PreparedText) => {
    await renderTurns.run(viewer.user.id, content.length, () => {
      const { state, user } = currentViewer(viewer);
      return prepared.text.render(state, parseContent(content), user);
    });
    return prepared;
  };
  const plain = await render({ content, text: new Draft(content), uploads: undefined });
  const uploads = await findUploads(viewer, plain);
  return uploads ? render({ content, text: new Draft(content, uploads), uploads }) : plain;
}

/**
 * Checks a message that is to be sent later as if it were sent now. It writes nothing, so a topic or a
 * conversation may not exist yet. Throws what `send` would throw, with one exception: a channel that the
 * viewer may not know of is treated as one that does not exist. The text is rendered again if what it names
 * has changed since it was prepared.
 */
export async function checkSend(
  viewer: Viewer,
  request: Omit<SendRequest, "content">,
  prepared: PreparedText,
): Promise<Sendable> {
  const { to } = request;
  const draft = draftOf(request, prepared);
  return to.kind === "channel"
    ? checkSendToChannel(viewer, draft, to)
    : checkSendToPeople(viewer, draft, accessRecipients(viewer, to));
}

async function checkSendToChannel(viewer: Viewer, draft: SendDraft, to: ToChannel): Promise<Sendable> {
  const { channel, name, text } = withoutHidden(viewer, to, () => checkChannelMessage(viewer, draft, to));
  const { database, organizationId } = viewer.state;
  if (text.facts.mentionsTopicWildcard) {
    const topic = await findTopic(database, organizationId, channel.id, name);
    if (topic) await database.snapshot((tx) => accessTopicParticipants(viewer, tx, topic.id));
  }
  return sendable(text, { kind: "channel", channelId: channel.id, topic: name });
}

/** A bot may send where only its owner is subscribed, so the send itself decides first. */
function withoutHidden<T>(viewer: Viewer, { channel: named }: ToChannel, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const isRefused = error instanceof ApiError && error.declaration === errors.notAuthorizedToSend;
    if (!isRefused || !("id" in named)) throw error;
    const channel = viewer.state.get(channels).find(named.id);
    if (channel && canSeeChannel(viewer.state, viewer.user, channel)) throw error;
    throw new ApiError(errors.channelIdDoesNotExist, { stream_id: named.id });
  }
}

async function checkSendToPeople(viewer: Viewer, draft: SendDraft, userIds: UserId[]): Promise<Sendable> {
  checkDirectPermission(viewer, userIds);
  const text = parseText(viewer, draft);
  if (!canStartConversation(viewer, userIds)) await checkIsBegun(viewer, userIds);
  return sendable(text, { kind: "direct", userIds });
}

function sendable({ row }: CheckedText, to: Sendable["to"]): Sendable {
  const readBySender = hasFlag(row.facts, messageFacts.readBySender);
  return { to, content: row.content, renderedContent: row.renderedContent, readBySender };
}

/**
 * A request whose text is rendered once, however often the message is checked. All fields are always there,
 * so that all drafts have one shape.
 */
type SendDraft = PreparedText & {
  to: Addressee;
  localEcho: SendRequest["localEcho"];
  readBySender: boolean | null;
  widget: WidgetContent | undefined;
  isReply: boolean | undefined;
};

function draftOf(request: SendRequest): SendDraft;
function draftOf(request: Omit<SendRequest, "content">, prepared: PreparedText): SendDraft;
function draftOf(
  request: Omit<SendRequest, "content"> & { content?: string },
  prepared?: PreparedText,
): SendDraft {
  const content = prepared?.content ?? (request.content as string);
  return {
    content,
    text: prepared?.text ?? new Draft(content),
    uploads: prepared?.uploads,
    to: request.to,
    localEcho: request.localEcho,
    readBySender: request.readBySender,
    widget: request.widget,
    isReply: request.isReply,
  };
}

/** A text that may link uploads asks the database which of them its sender may read now. */
function prepare(viewer: Viewer, draft: SendDraft): Send | Promise<Send> {
  if (!mayLinkUploads(draft.content)) return prepareWith(viewer, draft);
  return findUploads(viewer, draft).then((uploads) => {
    const { content } = draft;
    const linking = uploads && draftOf(draft, { content, uploads, text: new Draft(content, uploads) });
    return prepareWith(currentViewer(viewer), linking ?? draft);
  });
}

/** The uploads that the text links and the viewer may read. undefined: none. */
async function findUploads(viewer: Viewer, draft: PreparedText): Promise<UploadsOfText | undefined> {
  if (!mayLinkUploads(draft.content)) return undefined;
  const { facts } = draft.text.render(viewer.state, parseContent(draft.content), viewer.user);
  const uploads = await readContent(viewer.state, viewer, (tx, { state, user }) =>
    findLinkable({ state, user }, tx, facts.attachmentPaths),
  );
  return uploads.size === 0 ? undefined : uploads;
}

function prepareWith(viewer: Viewer, draft: SendDraft): Send | Promise<Send> {
  const { to } = draft;
  return to.kind === "channel"
    ? prepareChannelMessage(viewer, draft, to)
    : prepareDirectMessage(viewer, draft, accessRecipients(viewer, to));
}

type ToChannel = Addressee & { kind: "channel" };

/** All checks that read memory alone. */
function checkChannelMessage(
  viewer: Viewer,
  request: SendDraft,
  to: ToChannel,
): { channel: Channel; name: string; text: CheckedText } {
  const channel = accessChannelForSending(viewer, to.channel);
  const name = parseTopic(viewer.state, channel, to.topic);
  const text = parseText(viewer, request);
  if (text.facts.mentionsChannelWildcard) checkChannelWildcard(viewer, channel);
  return { channel, name, text };
}

function prepareChannelMessage(viewer: Viewer, request: SendDraft, to: ToChannel): Send | Promise<Send> {
  const { state } = viewer;
  const { channel, name, text } = checkChannelMessage(viewer, request, to);
  const { row } = text;
  const stateHead = state.stateHead;
  const receives = (userId: UserId) => state.get(subscribers).has(channel.id, userId);
  const isCalled = (userId: UserId) => isMentionedBot(state, channel, userId);
  const personalOfAll = personalBitsOf(state, text.personal, receives, isCalled);
  const finish = (topic: Topic, personal: PersonalBits): Send | Promise<Send> => {
    const complete = (changes: Send["changes"]): Send => ({
      recipientId: channel.id,
      topicId: topic.id,
      topic: topic.name,
      userIds: null,
      personal,
      stateHead,
      changes,
      contacts: null,
      calls: callsOf(state, viewer.user, null, personal),
      linksPages: text.linksPages,
      senderId: row.senderId,
      client: row.client,
      content: row.content,
      renderedContent: row.renderedContent,
      facts: row.facts,
      widget: row.widget,
      uploads: row.uploads,
      mentionedGroupIds: row.mentionedGroupIds,
      localQueueId: row.localQueueId,
      localId: row.localId,
    });
    const { mentionedGroupIds } = row;
    const { isReply } = request;
    const cause = { personal, mentionedGroupIds, isReply };
    const changes = automaticPolicyChanges(viewer, channel, topic.id, cause);
    return changes instanceof Promise ? changes.then(complete) : complete(changes);
  };
  const withMentions = (topic: Topic): Send | Promise<Send> => {
    if (!text.facts.mentionsTopicWildcard) return finish(topic, personalOfAll);
    const participants = state.database.snapshot((tx) => accessTopicParticipants(viewer, tx, topic.id));
    return participants.then((topicParticipantIds) =>
      finish(topic, personalBitsOf(state, textWith(topicParticipantIds), receives, isCalled)),
    );
  };
  const textWith = (topicParticipantIds: readonly UserId[]) => {
    const { senderId, content, mentionedUserIds } = text.personal;
    return { senderId, content, mentionedUserIds, topicParticipantIds };
  };
  const topic = findOrMakeTopic(state, channel.id, name);
  return topic instanceof Promise ? topic.then(withMentions) : withMentions(topic);
}

function prepareDirectMessage(viewer: Viewer, request: SendDraft, userIds: UserId[]): Send | Promise<Send> {
  const { state } = viewer;
  checkDirectPermission(viewer, userIds);
  const text = parseText(viewer, request);
  const { row } = text;
  const stateHead = state.stateHead;
  const personal = personalBitsOf(state, text.personal, (userId) => userIds.includes(userId));
  const finish = (recipientId: RecipientId): Send => ({
    recipientId,
    topicId: null,
    topic: "",
    userIds,
    personal,
    stateHead,
    changes: null,
    contacts: newContacts(state, userIds),
    calls: callsOf(state, viewer.user, userIds, personal),
    linksPages: text.linksPages,
    senderId: row.senderId,
    client: row.client,
    content: row.content,
    renderedContent: row.renderedContent,
    facts: row.facts,
    widget: row.widget,
    uploads: row.uploads,
    mentionedGroupIds: row.mentionedGroupIds,
    localQueueId: row.localQueueId,
    localId: row.localId,
  });
  if (!canStartConversation(viewer, userIds)) return checkIsBegun(viewer, userIds).then(finish);
  const conversation = findOrMakeConversation(state, userIds);
  return conversation instanceof Promise ? conversation.then(finish) : finish(conversation);
}

/** For a viewer who may only reply: returns the conversation if it already has a message. */
export async function checkIsBegun({ state }: Viewer, userIds: readonly UserId[]): Promise<RecipientId> {
  const id = await findConversation(state.database, state.organizationId, userIds);
  if (id === undefined || !(await hasMessages(state.database, state.organizationId, id))) {
    throw new ApiError(errors.directMessagesNotAllowed);
  }
  return id;
}

/** The people of a direct message, including the sender, sorted by id. */
function accessRecipients(viewer: Viewer, to: Addressee & { kind: "direct" }): UserId[] {
  const named =
    "userIds" in to
      ? to.userIds.map((id) => {
          const user = findKnownById(viewer.state, viewer.user, id);
          if (!user) throw new ApiError(errors.invalidRecipientId, { id });
          return user;
        })
      : to.emails.map((email) => {
          const user = findKnownByEmail(viewer.state, viewer.user, email);
          if (!user) throw new ApiError(errors.invalidRecipientEmail, { email });
          return user;
        });
  if (named.length === 0) throw new ApiError(errors.noRecipients);
  if (named.length > MAX_DIRECT_RECIPIENTS) {
    throw new ApiError(errors.tooManyRecipients, { limit: MAX_DIRECT_RECIPIENTS });
  }
  const gone = named.find((user) => !user.isActive);
  if (gone) throw new ApiError(errors.recipientDeactivated, { email: shownEmail(viewer.state, gone) });
  const ids = new Set([viewer.user.id, ...named.map((user) => user.id)]);
  return [...ids].sort((a, b) => a - b);
}

type CheckedText = ReturnType<typeof parseText>;

function parseText(viewer: Viewer, request: SendDraft) {
  const content = parseContent(request.content);
  const { html, facts: found } = request.text.render(viewer.state, content, viewer.user);
  if (found.mentionedGroupIds.length > 0) checkGroupMentions(viewer, found.mentionedGroupIds);
  const widget = request.widget ?? widgetOf(content);
  const readBySender = request.readBySender ?? isReading(viewer.client);
  const echo = canBeHeard(request.localEcho) ? request.localEcho : null;
  const { mentionedUserIds } = found;
  return {
    facts: found,
    personal: { senderId: viewer.user.id, content, mentionedUserIds },
    linksPages: widget === undefined && pagesOf(viewer.state, viewer.user, found).length > 0,
    row: {
      senderId: viewer.user.id,
      client: viewer.client,
      content,
      renderedContent: html,
      facts:
        factBits(found) |
        (readBySender ? messageFacts.readBySender : 0) |
        (widget ? messageFacts.isWidget : 0),
      widget: widget ? JSON.stringify(widget) : null,
      uploads: request.uploads ?? null,
      mentionedGroupIds: found.mentionedGroupIds.length > 0 ? (found.mentionedGroupIds as GroupId[]) : null,
      localQueueId: echo ? echo.queueId : null,
      localId: echo ? echo.localId : null,
    },
  };
}

/**
 * Whether people see what they send with this client, so that it counts as read (spec E1 `read_by_sender`).
 */
function isReading(client: string): boolean {
  return READING_CLIENTS.has(client) || client.includes("desktop app");
}

/** Every queue's name is a UUID, so no queue could receive an echo under another name. */
function canBeHeard(localEcho: SendRequest["localEcho"]): boolean {
  return localEcho !== null && UUID.test(localEcho.queueId);
}

export function factBits(found: MessageFacts): number {
  return (
    (found.mentionsChannelWildcard ? messageFacts.mentionsChannel : 0) |
    (found.isMeMessage ? messageFacts.isMeMessage : 0) |
    (found.hasLink ? messageFacts.hasLink : 0) |
    (found.hasImage ? messageFacts.hasImage : 0) |
    (found.hasAttachment ? messageFacts.hasAttachment : 0)
  );
}
