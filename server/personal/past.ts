/** What people of an organization that comes from another server have for later. */
import type { OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { enqueue } from "../platform/jobs/enqueue.ts";
import { secondsOf } from "./delivery-time.ts";
import { listPastReminders, listPastScheduledMessages } from "./past-store.ts";
import { deliverReminder } from "./reminders/deliver.ts";
import { deliverScheduledMessage } from "./scheduled-messages/deliver.ts";

/** Enqueues the deliveries of all scheduled messages and reminders. They have none yet. */
export async function enqueuePastDeliveries(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  for (const { id, deliverAt } of await listPastScheduledMessages(tx, organizationId)) {
    const payload = { organizationId, messageId: id, deliverAt: secondsOf(deliverAt) };
    await enqueue(tx, deliverScheduledMessage, payload, { runAt: deliverAt, key: String(id) });
  }
  for (const { id, deliverAt } of await listPastReminders(tx, organizationId)) {
    const payload = { organizationId, reminderId: id };
    await enqueue(tx, deliverReminder, payload, { runAt: deliverAt, key: String(id) });
  }
}
