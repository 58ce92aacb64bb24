import { Type } from "typebox";
import { endpoint, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_WELCOME_TEXT_LENGTH } from "../limits.ts";

export const sendTestWelcomeMessage = endpoint({
  name: "sendTestWelcomeMessage",
  subject: "Organization",
  method: "POST",
  path: "/realm/test_welcome_bot_custom_message",
  access: "administrator",
  summary: "Try a welcome message",
  description:
    "Sends the caller a direct message of the notification bot, with a text as people who join would get it. The setting `welcome_message_custom_text` stays as it is.",
  parameters: {
    welcome_message_custom_text: required(Type.String({ maxLength: MAX_WELCOME_TEXT_LENGTH }), {
      description: "The text to try, in Markdown.",
    }),
  },
  reply: { message_id: Type.Integer({ description: "The message's ID." }) },
  errors: [errors.emptyMessage],
  emits: ["message"],
  example: {
    parameters: { welcome_message_custom_text: "Say hello in **#general**." },
    reply: { message_id: 1043 },
  },
  sample: () => ({ welcome_message_custom_text: "Say hello in **#general**." }),
});
