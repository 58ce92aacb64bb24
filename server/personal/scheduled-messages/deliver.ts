/**
 * Sends scheduled messages at their time. The message, the end of its row and the events are one transaction
 * that locks the row. So however often the job runs, on however many nodes, the message is sent once. A
 * change by the sender comes before it or after it.
 */
import { Type } from "typebox";
import { ApiError, errors } from "../../../api/errors.ts";
import { scheduledMessageRemoved, scheduledMessageUpdated } from "../../../api/events/scheduled-messages.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { code } from "../../messages/model/markdown-text.ts";
import type { Addressee } from "../../messages/send/addressee.ts";
import { postMessage } from "../../messages/send/post.ts";
import { sendWithin } from "../../messages/send/send.ts";
import { organization } from "../../organization/organization.ts";
import { hasLimitedGuests } from "../../people/access/user-access.ts";
import { users } from "../../people/user.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { type Change, runContentChange, runStateChange } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { afterPause, secondsOf } from "../delivery-time.ts";
import { presentScheduledMessage } from "./present.ts";
import {
  deleteScheduledMessage,
  lockScheduledMessage,
  type ScheduledMessage,
  updateScheduledMessage,
} from "./store.ts";

/**
 * A message that is later than this is no longer sent: it may make no sense any more. The retries of a job
 * that fails take about two days, so this also ends what would fail for ever.
 */
const MAX_LATE_MS = 24 * 3600 * 1000;

export const deliverScheduledMessage = defineJob({
  name: "deliver_scheduled_message",
  payload: Type.Object({
    organizationId: Type.Integer(),
    messageId: Type.Integer(),
    /** The time for which it was enqueued, in UNIX seconds. */
    deliverAt: Type.Integer(),
  }),
  async run({ organizations }: Pick<Services, "organizations">, { organizationId, messageId, deliverAt }) {
    const state = await organizations.byId(organizationId as OrganizationId);
    await deliver(state, messageId, deliverAt);
  },
});

/** Replaces the delivery that was enqueued for an earlier time of the message. */
export async function enqueueDelivery(
  tx: Change,
  { id, deliverAt }: ScheduledMessage,
  runAt = deliverAt,
): Promise<void> {
  const { organizationId } = tx.state;
  await enqueue(
    tx,
    deliverScheduledMessage,
    { organizationId, messageId: id, deliverAt: secondsOf(deliverAt) },
    { runAt, key: String(id) },
  );
}

/** The sender's clients get an event. */
export function announceUpdate(tx: Change, message: ScheduledMessage): void {
  const record = presentScheduledMessage(message);
  tx.append(scheduledMessageUpdated, { scheduled_message: record }, toUsers([message.senderId]));
}

/** The sender's clients get an event. */
export function announceRemoval(tx: Change, { id, senderId }: ScheduledMessage): void {
  tx.append(scheduledMessageRemoved, { scheduled_message_id: id }, toUsers([senderId]));
}

/**
 * Does nothing for a message that was sent, was deleted, has failed, or has another time by now. The messages
 * of a deactivated organization wait until it is active again.
 */
async function deliver(state: OrganizationState, id: number, deliverAt: number): Promise<void> {
  // The message may make its sender known to a guest, which is a change of state.
  const run = hasLimitedGuests(state) ? runStateChange : runContentChange;
  await run(state, async (tx) => {
    const message = await lockScheduledMessage(tx, state.organizationId, id);
    if (!message || message.isFailed || secondsOf(message.deliverAt) !== deliverAt) return;
    if (!state.get(organization).isActive) return enqueueDelivery(tx, message, afterPause());
    try {
      await send(tx, message);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await fail(tx, message, error.message);
    }
  });
}

/** Throws an ApiError if the sender may not send it now. Nothing was written then. */
async function send(tx: Change, message: ScheduledMessage): Promise<void> {
  const { state } = tx;
  const user = state.get(users).byId.get(message.senderId);
  if (!user?.isActive) throw new ApiError(errors.accountDeactivated);
  if (Date.now() - message.deliverAt.getTime() > MAX_LATE_MS) throw new ApiError(errors.deliveryTooLate);
  await sendWithin(
    tx,
    { state, user, client: message.client },
    {
      to: addresseeOf(message),
      content: message.content,
      localEcho: null,
      readBySender: message.readBySender,
    },
  );
  await deleteScheduledMessage(tx, state.organizationId, message.id);
  announceRemoval(tx, message);
}

function addresseeOf({ channelId, topic, userIds }: ScheduledMessage): Addressee {
  return channelId === null
    ? { kind: "direct", userIds: userIds ?? [] }
    : { kind: "channel", channel: { id: channelId }, topic: topic ?? "" };
}

/** Keeps the message as failed and says so to its sender. Bots and deactivated people get no message. */
async function fail(tx: Change, message: ScheduledMessage, reason: string): Promise<void> {
  const { state } = tx;
  const failed = { ...message, isFailed: true };
  await updateScheduledMessage(tx, state.organizationId, failed);
  announceUpdate(tx, failed);
  const sender = state.get(users).byId.get(message.senderId);
  if (!sender?.isActive || sender.botType !== null) return;
  const time = message.deliverAt.toISOString().replace(".000", "");
  await postMessage(tx, {
    to: { userIds: [sender.id] },
    content: [
      `The message that you scheduled for <time:${time}> was not sent, for this reason:`,
      `> ${code(reason)}`,
      "It is kept with your scheduled messages. Give it a new time to send it again.",
    ].join("\n\n"),
  });
}
