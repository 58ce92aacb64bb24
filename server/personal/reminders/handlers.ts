import {
  createReminder as createReminderEndpoint,
  deleteReminder as deleteReminderEndpoint,
  getReminders,
} from "../../../api/personal/reminders.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { readContent } from "../../people/viewer/read.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { cancelReminder, createReminder } from "./actions.ts";
import { presentReminder } from "./present.ts";
import { ownReminders } from "./store.ts";

export function reminderRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(createReminderEndpoint, async ({ viewer, params }) => {
      const { messageId, note = "", scheduledDeliveryTimestamp: deliveryTimestamp } = params;
      const id = await changeContent(viewer, async (tx) => {
        await quotas.use(tx, "reminders");
        return createReminder(tx, { messageId, note, deliveryTimestamp });
      });
      return { reminder_id: id };
    }),
    route(getReminders, async ({ state, viewer }) => {
      const reminders = await readContent(state, viewer, (tx, { user }) =>
        ownReminders.list(tx, state.organizationId, user.id),
      );
      return { reminders: reminders.map(presentReminder) };
    }),
    route(deleteReminderEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => cancelReminder(tx, params.reminderId));
      return {};
    }),
  ];
}
