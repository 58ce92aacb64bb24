/**
 * Sending a message. All checks read memory. The database receives one row, in one statement with the
 * messages that other people send at the same moment (batch.ts). If a check no longer holds when the row
 * would be written, nothing is written and all checks run again.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId, Position, UserId } from "../../../api/ids.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { findTopic } from "../../channels/recipients/topic-store.ts";
import { Draft, type PreparedText, renderTurns } from "../../content/rendering.ts";
import { changeInGroup, changeStateInGroup } from "../../people/viewer/change.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { accessTopicParticipants } from "../mentions/wildcard-mentions.ts";
import { parseContent } from "../model/content.ts";
import { hasFlag, messageFacts } from "../model/message.ts";
import { mayLinkUploads } from "../uploads/text-uploads.ts";
import type { SendRequest } from "./addressee.ts";
import { NotForBatch, needsRows, type Send, SendBatcher, type Sender } from "./batch.ts";
import { canStartConversation, checkDirectPermission } from "./direct-permissions.ts";
import { firstContacts } from "./first-contacts.ts";
import { groupedSend, PrepareAgain } from "./grouped-send.ts";
import {
  accessRecipients,
  type CheckedText,
  checkChannelMessage,
  checkIsBegun,
  draftOf,
  findUploads,
  parseText,
  prepare,
  prepareLinked,
  type SendDraft,
  type ToChannel,
  withUploads,
} from "./prepare.ts";
import { appendSend, type SendOptions, type Sent, sendAlone } from "./send-alone.ts";

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

/** How often a message is prepared again since an upload that it links is gone, before it goes without it. */
const MAX_PREPARATIONS = 3;

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
  #preparations = 0;
  /** The draft with the uploads that were found for it last. */
  #linking: SendDraft | undefined;

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
    const viewer = currentViewer(this.#viewer);
    return mayLinkUploads(this.#draft.content)
      ? this.#checkLinking(viewer)
      : prepareLinked(viewer, this.#draft);
  }

  async #checkLinking(viewer: Viewer): Promise<Send> {
    this.#linking = await withUploads(viewer, this.#draft);
    return prepareLinked(currentViewer(viewer), this.#linking);
  }

  sent(id: MessageId): void {
    this.#resolve({ id, newPolicy: undefined });
  }

  failed(error: unknown): void {
    const { state } = this.#viewer;
    if (error instanceof NotForBatch || error instanceof PrepareAgain) {
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
    if (!needsRows(message)) batcherOf(this.#viewer.state).add(message, this);
    else if (this.#preparations > MAX_PREPARATIONS) this.#writeAlone(message);
    else this.#writeInGroup(message);
  }

  #writeInGroup(message: Send): void {
    const again = () => prepareLinked(currentViewer(this.#viewer), this.#linking ?? this.#draft);
    const request = { viewer: this.#viewer, send: message, again };
    const written =
      message.contacts === null
        ? changeInGroup(groupedSend, request)
        : changeStateInGroup(firstContacts, request);
    written.then(this.#resolve, (error) => {
      if (error instanceof PrepareAgain) this.#preparations++;
      if (error instanceof NotForGroup) this.#writeAlone(message);
      else this.failed(error);
    });
  }

  #writeAlone(message: Send): void {
    const check = () => this.check();
    sendAlone(this.#viewer.state, message, check).then(this.#resolve, (error) => this.failed(error));
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
