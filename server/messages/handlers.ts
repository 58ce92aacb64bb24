import { getChannelTopics } from "../../api/channels/channels.ts";
import { topicDisplayName } from "../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../api/errors.ts";
import type { ChannelId, MessageId } from "../../api/ids.ts";
import { MAX_MESSAGES_A_CALL } from "../../api/limits.ts";
import {
  deleteMessage as deleteMessageEndpoint,
  deleteTopic as deleteTopicEndpoint,
} from "../../api/messages/delete-messages.ts";
import { editMessage as editMessageEndpoint, getMessageHistory } from "../../api/messages/edit-message.ts";
import {
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  type ListedMessage,
  renderMessage,
  sendMessage as sendMessageEndpoint,
} from "../../api/messages/messages.ts";
import { renderContent, renderTurns } from "../content/rendering.ts";
import { presentAttachment } from "../content/uploads/present.ts";
import { changeContent, changeState } from "../people/viewer/change.ts";
import { readContent } from "../people/viewer/read.ts";
import { route } from "../people/viewer/route.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { ReadLane } from "../platform/db/lanes.ts";
import type { Route } from "../platform/http/handler.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { accessMessage, type Readable } from "./access.ts";
import { deleteMessage, deleteTopic } from "./delete/delete.ts";
import { changeText } from "./edit/change-text.ts";
import { editMessage, isContentOnly, isTextOnly } from "./edit/edit.ts";
import { prepareText } from "./edit/edit-text.ts";
import { historyPolicy, listVisibleEdits, presentSnapshots } from "./history/edit-history.ts";
import { parseContent } from "./model/content.ts";
import type { FetchedRow } from "./model/message.ts";
import { MessageExtras } from "./model/message-extras.ts";
import { type MessageForm, presentReadable } from "./model/present.ts";
import { accessChannelForReading, listTopics } from "./model/topics.ts";
import { hasSearch, presentMatches } from "./query/narrow/matches.ts";
import { parseNarrow, type Term } from "./query/narrow/narrow.ts";
import { fetchByIds, fetchPage } from "./query/page/page.ts";
import { parsePageRequest } from "./query/page/page-request.ts";
import type { Reader } from "./query/readable/readable-ranges.ts";
import { isDirect, parseAddressee, type To } from "./send/addressee.ts";
import { send } from "./send/send.ts";
import type { Sent } from "./send/send-alone.ts";

export interface SendOptions {
  /** The channel of a sender's message that names none; undefined: it must name one. */
  defaultChannelOf(viewer: Viewer): Promise<ChannelId | undefined>;
}

export function messageRoutes({ defaultChannelOf }: SendOptions): Route[] {
  return [
    route(
      sendMessageEndpoint,
      ({ viewer, params }): Promise<SentReply> => {
        const { type, to, queueId, localId } = params;
        if (queueId !== undefined && localId === undefined) throw new ApiError(errors.queueIdNeedsLocalId);
        const sendTo = (recipient: To) =>
          send(viewer, {
            to: parseAddressee(type, recipient, params.topic),
            content: params.content,
            localEcho: queueId === undefined || localId === undefined ? null : { queueId, localId },
            readBySender: params.readBySender ?? null,
            widget: params.widgetContent,
          });
        // A recipient that is given costs no wait.
        const sent = to === undefined ? defaultRecipient(viewer, type).then(sendTo) : sendTo(to);
        return sent.then(presentSent);
      },
      { isCheckedAtCommit: true },
    ),
    route(getMessages, async ({ state, viewer, params }) => {
      const request = parsePageRequest(params);
      const form = formOf(params, params.clientGravatar ?? true);
      const narrow = parseNarrow(params.narrow ?? []);
      const read = async (tx: Queryable, current: typeof viewer) => {
        const reader = readerOf(state, current);
        if ("ids" in request) {
          const messages = await fetchByIds(reader, tx, request.ids, narrow);
          return { messages: await presentFound(reader, tx, messages, narrow, form), history_limited: false };
        }
        const page = await fetchPage(reader, tx, { ...request, narrow });
        return {
          messages: await presentFound(reader, tx, page.messages, narrow, form),
          anchor: page.anchor,
          found_anchor: page.foundAnchor,
          found_oldest: page.foundOldest,
          found_newest: page.foundNewest,
          ...(page.searchedFrom !== undefined && { searched_from: page.searchedFrom }),
          ...(page.searchedTo !== undefined && { searched_to: page.searchedTo }),
          history_limited: false,
        };
      };
      return readContent(state, viewer, read, laneOf(narrow));
    }),
    route(getMessage, async ({ state, viewer, params }) => {
      return readContent(state, viewer, async (tx, current) => {
        const reader = readerOf(state, current);
        const message = await accessMessage(reader, tx, params.messageId);
        const extras = await MessageExtras.read(reader, tx, [message.row]);
        return {
          message: presentReadable(reader, message, extras, formOf(params, false)),
          raw_content: message.row.content,
        };
      });
    }),
    route(editMessageEndpoint, async ({ viewer, params }) => {
      const request = {
        text: params.content === undefined ? undefined : await prepareText(viewer, params.content),
        topic: params.topic,
        channelId: params.streamId,
        propagateMode: params.propagateMode,
        tellsOldThread: params.sendNotificationToOldThread,
        tellsNewThread: params.sendNotificationToNewThread,
        previousHash: params.prevContentSha256,
      };
      const { text, previousHash } = request;
      if (text && isTextOnly(request)) {
        const own = await changeText({ viewer, messageId: params.messageId, text, previousHash });
        return { detached_uploads: own.map(presentAttachment) };
      }
      // A move may take long, so it is not to be tried again whenever something else changes meanwhile.
      const change = isContentOnly(request) ? changeContent : changeState;
      const detached = await change(viewer, (tx) => editMessage(tx, params.messageId, request));
      return { detached_uploads: detached.map(presentAttachment) };
    }),
    route(getMessageHistory, async ({ state, viewer, params }) => {
      const { row, edits } = await readContent(state, viewer, async (tx, current) => {
        const reader = readerOf(state, current);
        const { row } = await accessMessage(reader, tx, params.messageId);
        if (historyPolicy(reader) === "none") throw new ApiError(errors.historyDisabled);
        return { row, edits: (await listVisibleEdits(reader, tx, [row.id])).get(row.id) ?? [] };
      });
      const form = { emptyTopicName: params.allowEmptyTopicName ?? false };
      return { message_history: await presentSnapshots(row, edits, form) };
    }),
    route(deleteMessageEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => deleteMessage(tx, params.messageId));
      return {};
    }),
    route(deleteTopicEndpoint, async ({ viewer, params }) => {
      const { streamId, topicName } = params;
      const isComplete = await changeContent(viewer, (tx) => deleteTopic(tx, streamId, topicName));
      return { complete: isComplete };
    }),
    route(renderMessage, async ({ state, viewer: { user }, params }) => {
      const content = parseContent(params.content);
      const render = () => renderContent(state, content, { writer: user });
      const { html } = await renderTurns.run(user.id, content.length, render);
      return { rendered: html };
    }),
    route(checkMessagesMatchNarrow, async ({ state, viewer, params }) => {
      const { msgIds } = params;
      if (msgIds.length > MAX_MESSAGES_A_CALL)
        throw new ApiError(errors.tooManyMessages, { limit: MAX_MESSAGES_A_CALL });
      const narrow = parseNarrow(params.narrow ?? []);
      const matches = await readContent(
        state,
        viewer,
        async (tx, current) => {
          const found = await fetchByIds(readerOf(state, current), tx, msgIds, narrow);
          return presentMatches(tx, narrow, rowsOf(found), { emptyTopicName: false });
        },
        laneOf(narrow),
      );
      return { messages: Object.fromEntries(matches) };
    }),
    route(getChannelTopics, async ({ state, viewer, params }) => {
      const topics = await readContent(state, viewer, async (tx, current) =>
        listTopics(state, current, tx, accessChannelForReading(state, current, params.streamId)),
      );
      const nameOf = (topic: string) => topicDisplayName(topic, params.allowEmptyTopicName);
      return { topics: topics.map(({ name, newestId }) => ({ name: nameOf(name), max_id: newestId })) };
    }),
  ];

  /** For a message that names no recipient. */
  async function defaultRecipient(viewer: Viewer, type: string): Promise<To> {
    const channelId = isDirect(type) ? undefined : await defaultChannelOf(viewer);
    if (channelId === undefined) throw new ApiError(errors.missingRecipient);
    return channelId;
  }
}

interface SentReply {
  id: MessageId;
  automatic_new_visibility_policy?: number;
}

function presentSent({ id, newPolicy }: Sent): SentReply {
  return newPolicy === undefined ? { id } : { id, automatic_new_visibility_policy: newPolicy };
}

function readerOf(state: OrganizationState, viewer: Viewer | undefined): Reader {
  return { state, user: viewer?.user };
}

/** A slow search holds up other searches only. */
function laneOf(narrow: readonly Term[]): ReadLane {
  return hasSearch(narrow) ? "searches" : "reads";
}

function formOf(
  params: { applyMarkdown?: boolean; allowEmptyTopicName?: boolean },
  clientGravatar: boolean,
): MessageForm {
  return {
    applyMarkdown: params.applyMarkdown ?? true,
    clientGravatar,
    emptyTopicName: params.allowEmptyTopicName ?? false,
  };
}

/** With what a search looked for marked in each. */
async function presentFound(
  reader: Reader,
  tx: Queryable,
  messages: readonly Readable[],
  narrow: readonly Term[],
  form: MessageForm,
): Promise<ListedMessage[]> {
  const listed = await presentAll(reader, tx, messages, form);
  if (!hasSearch(narrow)) return listed;
  const matches = await presentMatches(tx, narrow, rowsOf(messages), form);
  return listed.map((message) => ({ ...message, ...matches.get(message.id as MessageId) }));
}

function rowsOf(messages: readonly Readable[]): FetchedRow[] {
  return messages.map(({ row }) => row);
}

async function presentAll(
  reader: Reader,
  tx: Queryable,
  messages: readonly Readable[],
  form: MessageForm,
): Promise<ListedMessage[]> {
  const extras = await MessageExtras.read(reader, tx, rowsOf(messages));
  return messages.map((message) => presentReadable(reader, message, extras, form));
}
