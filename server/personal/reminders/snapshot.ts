import { registerReminders } from "../../../api/register/reminders.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentReminder } from "./present.ts";
import { ownReminders } from "./store.ts";

export const reminderSection = sectionOf(
  registerReminders,
  async ({ own, wants }) => {
    if (!wants("reminders")) return undefined;
    const reminders = await own(ownReminders);
    return { reminders: reminders.map(presentReminder) };
  },
  ownReminders,
);
