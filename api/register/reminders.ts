import { Type } from "typebox";
import { reminder } from "../events/reminders.ts";
import { registerSection } from "../register-section.ts";

export const registerReminders = registerSection({
  fields: {
    reminders: Type.Array(reminder, {
      description: "The user's reminders that are to come, the next one first.",
    }),
  },
});
