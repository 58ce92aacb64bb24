import { registerScheduledMessages } from "../../../api/register/scheduled-messages.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentScheduledMessage } from "./present.ts";
import { listScheduledMessages } from "./store.ts";

export const scheduledMessageSection = sectionOf(
  registerScheduledMessages,
  async ({ state, viewer, tx, wants }) => {
    if (!wants("scheduled_messages")) return undefined;
    const messages = viewer ? await listScheduledMessages(tx, state.organizationId, viewer.user.id) : [];
    return { scheduled_messages: messages.map(presentScheduledMessage) };
  },
);
