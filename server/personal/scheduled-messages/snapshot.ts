import { registerScheduledMessages } from "../../../api/register/scheduled-messages.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentScheduledMessage } from "./present.ts";
import { ownScheduledMessages } from "./store.ts";

export const scheduledMessageSection = sectionOf(
  registerScheduledMessages,
  async ({ own, wants }) => {
    if (!wants("scheduled_messages")) return undefined;
    const messages = await own(ownScheduledMessages);
    return { scheduled_messages: messages.map(presentScheduledMessage) };
  },
  ownScheduledMessages,
);
