/**
 * Delivers reminders at their time. The message, the end of the row and the events are one transaction. So
 * however often the job runs, on however many nodes, the person is reminded once.
 */
import { Type } from "typebox";
import { ApiError } from "../../../api/errors.ts";
import { reminderRemoved, remindersAdded } from "../../../api/events/reminders.ts";
import type { OrganizationId, ReminderId } from "../../../api/ids.ts";
import { accessMessageToReferTo } from "../../messages/access.ts";
import type { FetchedRow } from "../../messages/model/message.ts";
import { postMessage } from "../../messages/send/post.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { type Change, runContentChange } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { afterPause } from "../delivery-time.ts";
import { presentReminder } from "./present.ts";
import { deleteReminder, type Reminder } from "./store.ts";
import { reminderText } from "./text.ts";

export const deliverReminder = defineJob({
  name: "deliver_reminder",
  payload: Type.Object({ organizationId: Type.Integer(), reminderId: Type.Integer() }),
  async run({ organizations }: Pick<Services, "organizations">, { organizationId, reminderId }) {
    await deliver(await organizations.byId(organizationId as OrganizationId), reminderId as ReminderId);
  },
});

export async function enqueueReminder(
  tx: Change,
  { id, deliverAt }: Pick<Reminder, "id" | "deliverAt">,
): Promise<void> {
  const { organizationId } = tx.state;
  const payload = { organizationId, reminderId: id };
  await enqueue(tx, deliverReminder, payload, { runAt: deliverAt, key: String(id) });
}

/** The person's clients get an event. */
export function announceReminder(tx: Change, reminder: Reminder): void {
  tx.append(remindersAdded, { reminders: [presentReminder(reminder)] }, toUsers([reminder.userId]));
}

/** The person's clients get an event. */
export function announceRemoval(tx: Change, { id, userId }: Reminder): void {
  tx.append(reminderRemoved, { reminder_id: id }, toUsers([userId]));
}

/**
 * Does nothing for a reminder that was delivered or deleted. A deactivated person is not reminded. The
 * reminders of a deactivated organization wait until it is active again.
 */
async function deliver(state: OrganizationState, id: ReminderId): Promise<void> {
  await runContentChange(state, async (tx) => {
    if (!state.get(organization).isActive) return enqueueReminder(tx, { id, deliverAt: afterPause() });
    const reminder = await deleteReminder(tx, state.organizationId, id);
    if (!reminder) return;
    announceRemoval(tx, reminder);
    const user = state.get(users).byId.get(reminder.userId);
    if (!user?.isActive) return;
    const row = await findReadable(tx, user, reminder.messageId);
    await postMessage(tx, {
      to: { userIds: [user.id] },
      content: reminderText(state, user, row, { note: reminder.note, hasQuote: true }),
      onBehalfOf: user,
    });
  });
}

/** The message if the person may read it now. It can't change or be deleted until the commit. */
async function findReadable(tx: Change, user: User, messageId: number): Promise<FetchedRow | undefined> {
  try {
    return (await accessMessageToReferTo({ state: tx.state, user }, tx, messageId)).row;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
