import { registerReminders } from "../../../api/register/reminders.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentReminder } from "./present.ts";
import { listReminders } from "./store.ts";

export const reminderSection = sectionOf(registerReminders, async ({ state, viewer, tx, wants }) => {
  if (!wants("reminders")) return undefined;
  const reminders = viewer ? await listReminders(tx, state.organizationId, viewer.user.id) : [];
  return { reminders: reminders.map(presentReminder) };
});
