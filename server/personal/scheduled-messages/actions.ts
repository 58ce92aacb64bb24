import { ApiError, errors } from "../../../api/errors.ts";
import { scheduledMessagesAdded } from "../../../api/events/scheduled-messages.ts";
import type { ScheduledMessageId } from "../../../api/ids.ts";
import { MAX_SCHEDULED_MESSAGES } from "../../../api/limits.ts";
import type { PreparedText } from "../../content/rendering.ts";
import { type Addressee, parseAddressee } from "../../messages/send/addressee.ts";
import { checkSend, prepareText, type Sendable } from "../../messages/send/send.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { readContent } from "../../people/viewer/read.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { cancel } from "../../platform/jobs/enqueue.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { parseDeliveryTime } from "../delivery-time.ts";
import { announceRemoval, announceUpdate, deliverScheduledMessage, enqueueDelivery } from "./deliver.ts";
import { presentScheduledMessage } from "./present.ts";
import {
  countScheduledMessages,
  deleteScheduledMessage,
  insertScheduledMessage,
  lockScheduledMessage,
  ownScheduledMessages,
  type ScheduledMessage,
  updateScheduledMessage,
} from "./store.ts";

export interface NewMessage {
  type: string;
  to: number | readonly number[];
  topic: string | undefined;
  content: string;
  deliveryTimestamp: number;
  readBySender: boolean | undefined;
}

/** What is given changes. */
export type MessageUpdate = { [K in Exclude<keyof NewMessage, "readBySender">]: NewMessage[K] | undefined };

/**
 * Keeps a message that the viewer could send now, and enqueues its delivery. The viewer's clients get an
 * event. Throws what `checkSend` throws, and for a time that is not in the future. `text`: what `prepareText`
 * returned.
 */
export async function scheduleMessage(
  tx: ViewerChange,
  request: Omit<NewMessage, "content">,
  text: PreparedText,
): Promise<ScheduledMessageId> {
  const { state, viewer } = tx;
  const deliverAt = parseDeliveryTime(request.deliveryTimestamp);
  const to = parseAddressee(request.type, request.to, request.topic);
  const options = { localEcho: null, readBySender: request.readBySender ?? null };
  const checked = await checkSend(viewer, { to, ...options }, text);
  if ((await countScheduledMessages(tx, state.organizationId, viewer.user.id)) >= MAX_SCHEDULED_MESSAGES) {
    throw new ApiError(errors.tooManyScheduledMessages, { limit: MAX_SCHEDULED_MESSAGES });
  }
  const message = await insertScheduledMessage(tx, state.organizationId, {
    senderId: viewer.user.id,
    client: viewer.client,
    readBySender: checked.readBySender,
    deliverAt,
    ...contentsOf(checked),
  });
  await enqueueDelivery(tx, message);
  tx.append(
    scheduledMessagesAdded,
    { scheduled_messages: [presentScheduledMessage(message)] },
    toUsers([viewer.user.id]),
  );
  return message.id;
}

/** Renders what the message will say, before the transaction; undefined if only its time changes. */
export async function prepareUpdate(
  viewer: Viewer,
  id: number,
  { type, to, topic, content }: MessageUpdate,
): Promise<PreparedText | undefined> {
  if (content !== undefined) return prepareText(viewer, content);
  if (type === undefined && to === undefined && topic === undefined) return undefined;
  const { state } = viewer;
  const own = await readContent(state, viewer, (tx, { user }) =>
    ownScheduledMessages.list(tx, state.organizationId, user.id),
  );
  const stored = own.find((message) => message.id === id);
  return stored && prepareText(viewer, stored.content);
}

/**
 * Changes a scheduled message. A new time replaces the old one, also of a message that has failed. The
 * viewer's clients get an event. Throws what `checkSend` throws, unless only the time changes. `prepared`:
 * what `prepareUpdate` returned.
 */
export async function changeScheduledMessage(
  tx: ViewerChange,
  id: number,
  update: MessageUpdate,
  prepared: PreparedText | undefined,
): Promise<void> {
  const { state, viewer } = tx;
  const before = await accessScheduledMessage(tx, id);
  const { deliveryTimestamp, ...rest } = update;
  const isRewritten = Object.values(rest).some((value) => value !== undefined);
  if (deliveryTimestamp === undefined && !isRewritten) throw new ApiError(errors.nothingToEdit);
  if (deliveryTimestamp === undefined && before.isFailed) throw new ApiError(errors.deliveryTimeNotInFuture);
  const after = { ...before };
  if (deliveryTimestamp !== undefined) {
    after.deliverAt = parseDeliveryTime(deliveryTimestamp);
    after.isFailed = false;
  }
  if (isRewritten) {
    const content = update.content ?? before.content;
    // Another call may just have changed the text.
    const text = prepared?.content === content ? prepared : await prepareText(viewer, content);
    const options = { localEcho: null, readBySender: before.readBySender };
    const checked = await checkSend(viewer, { to: addresseeOf(before, update), ...options }, text);
    Object.assign(after, contentsOf(checked));
  }
  await updateScheduledMessage(tx, state.organizationId, after);
  if (deliveryTimestamp !== undefined) await enqueueDelivery(tx, after);
  announceUpdate(tx, after);
}

/** Deletes a scheduled message, so that it is never sent. The viewer's clients get an event. */
export async function unscheduleMessage(tx: ViewerChange, id: number): Promise<void> {
  const message = await accessScheduledMessage(tx, id);
  await deleteScheduledMessage(tx, tx.state.organizationId, message.id);
  await cancel(tx, deliverScheduledMessage, String(message.id));
  announceRemoval(tx, message);
}

/** The viewer's scheduled message, locked. Another person's is treated as one that does not exist. */
async function accessScheduledMessage(tx: ViewerChange, id: number): Promise<ScheduledMessage> {
  const message = await lockScheduledMessage(tx, tx.state.organizationId, id, tx.viewer.user.id);
  if (!message) throw new ApiError(errors.scheduledMessageDoesNotExist);
  return message;
}

/** Where the changed message goes. Another kind of place needs all of its parts. */
function addresseeOf(before: ScheduledMessage, { type, to, topic }: MessageUpdate): Addressee {
  const oldType = before.channelId === null ? "direct" : "channel";
  const newType = type === undefined ? oldType : kindOf(type);
  if (newType !== oldType) {
    if (to === undefined) throw new ApiError(errors.recipientRequiredForType);
    if (newType === "channel" && topic === undefined) throw new ApiError(errors.topicRequiredForType);
  }
  const place = to ?? before.channelId ?? before.userIds ?? [];
  return parseAddressee(newType, place, topic ?? before.topic ?? undefined);
}

function kindOf(type: string): "direct" | "channel" {
  return type === "direct" || type === "private" ? "direct" : "channel";
}

type Contents = Pick<ScheduledMessage, "channelId" | "topic" | "userIds" | "content" | "renderedContent">;

function contentsOf({ to, content, renderedContent }: Sendable): Contents {
  return to.kind === "channel"
    ? { channelId: to.channelId, topic: to.topic, userIds: null, content, renderedContent }
    : { channelId: null, topic: null, userIds: to.userIds, content, renderedContent };
}
