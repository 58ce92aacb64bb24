/**
 * What a message that is asked for would be now: its checks, and the row that is written for it. Nearly
 * always all of it is in memory, and nothing waits.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { GroupId, RecipientId, UserId } from "../../../api/ids.ts";
import type { WidgetContent } from "../../../api/messages/widgets.ts";
import type { MessageFacts } from "../../../markdown/facts.ts";
import { accessChannelForSending } from "../../channels/access.ts";
import type { Channel } from "../../channels/channel.ts";
import { findConversation } from "../../channels/recipients/conversation-store.ts";
import { findOrMakeConversation, findOrMakeTopic } from "../../channels/recipients/recipients.ts";
import type { Topic } from "../../channels/recipients/topic-store.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { Draft, type PreparedText } from "../../content/rendering.ts";
import type { UploadsOfText } from "../../content/uploads/links.ts";
import { findKnownByEmail, findKnownById } from "../../people/access/access.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import { readContent } from "../../people/viewer/read.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { newContacts } from "../direct-contacts.ts";
import { pagesOf } from "../link-previews/linked-pages.ts";
import { callsOf } from "../mentions/bot-calls.ts";
import { checkGroupMentions } from "../mentions/group-mentions.ts";
import { isMentionedBot } from "../mentions/mentioned-bots.ts";
import { type PersonalBits, personalBitsOf } from "../mentions/personal-flags.ts";
import { accessTopicParticipants, checkChannelWildcard } from "../mentions/wildcard-mentions.ts";
import { parseContent, parseTopic } from "../model/content.ts";
import { messageFacts } from "../model/message.ts";
import { hasMessages } from "../model/store.ts";
import { findLinkable, mayLinkUploads } from "../uploads/text-uploads.ts";
import { type Addressee, MAX_DIRECT_RECIPIENTS, type SendRequest } from "./addressee.ts";
import { automaticPolicyChanges } from "./automatic-policies.ts";
import type { Send } from "./batch.ts";
import { canStartConversation, checkDirectPermission } from "./direct-permissions.ts";
import { widgetOf } from "./widget.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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

/**
 * A request whose text is rendered once, however often the message is checked. All fields are always there,
 * so that all drafts have one shape.
 */
export type SendDraft = PreparedText & {
  to: Addressee;
  localEcho: SendRequest["localEcho"];
  readBySender: boolean | null;
  widget: WidgetContent | undefined;
  isReply: boolean | undefined;
};

export function draftOf(request: SendRequest): SendDraft;
export function draftOf(request: Omit<SendRequest, "content">, prepared: PreparedText): SendDraft;
export function draftOf(
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
export function prepare(viewer: Viewer, draft: SendDraft): Send | Promise<Send> {
  if (!mayLinkUploads(draft.content)) return prepareLinked(viewer, draft);
  return withUploads(viewer, draft).then((linking) => prepareLinked(currentViewer(viewer), linking));
}

/** The draft with the uploads that it links and its sender may read now. */
export async function withUploads(viewer: Viewer, draft: SendDraft): Promise<SendDraft> {
  const uploads = await findUploads(viewer, draft);
  const { content } = draft;
  return uploads ? draftOf(draft, { content, uploads, text: new Draft(content, uploads) }) : draft;
}

/** The uploads that the text links and the viewer may read. undefined: none. */
export async function findUploads(viewer: Viewer, draft: PreparedText): Promise<UploadsOfText | undefined> {
  if (!mayLinkUploads(draft.content)) return undefined;
  const { facts } = draft.text.render(viewer.state, parseContent(draft.content), viewer.user);
  const uploads = await readContent(viewer.state, viewer, (tx, { state, user }) =>
    findLinkable({ state, user }, tx, facts.attachmentPaths),
  );
  return uploads.size === 0 ? undefined : uploads;
}

/** As `prepare`, for a draft whose uploads have been looked up, or whose text can link none. */
export function prepareLinked(viewer: Viewer, draft: SendDraft): Send | Promise<Send> {
  const { to } = draft;
  return to.kind === "channel"
    ? prepareChannelMessage(viewer, draft, to)
    : prepareDirectMessage(viewer, draft, accessRecipients(viewer, to));
}

export type ToChannel = Addressee & { kind: "channel" };

/** All checks that read memory alone. */
export function checkChannelMessage(
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
export function accessRecipients(viewer: Viewer, to: Addressee & { kind: "direct" }): UserId[] {
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

export type CheckedText = ReturnType<typeof parseText>;

export function parseText(viewer: Viewer, request: SendDraft) {
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
