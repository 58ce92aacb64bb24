import { Type } from "typebox";
import { scheduledMessage } from "../events/scheduled-messages.ts";
import { registerSection } from "../register-section.ts";

export const registerScheduledMessages = registerSection({
  fields: {
    scheduled_messages: Type.Array(scheduledMessage, {
      description: "The user's messages that are yet to be sent, the next one first.",
    }),
  },
});
