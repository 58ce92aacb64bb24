import { Type } from "typebox";
import { endpoint } from "../endpoint.ts";
import { exampleMessage, messageFields } from "../messages/message.ts";

/** What the server sends to the program of an outgoing webhook bot (spec E22). */
export const outgoingWebhookPayload = {
  bot_email: Type.String({ description: "The API email of the bot." }),
  bot_full_name: Type.String({ description: "The name of the bot." }),
  data: Type.String({ description: "The message's text, in Markdown." }),
  trigger: Type.Union([Type.Literal("mention"), Type.Literal("direct_message")], {
    description: "Why the program is called: the message mentions the bot, or is sent to it.",
  }),
  token: Type.String({
    description: "The bot's token, by which its program knows that the call comes from this server.",
  }),
  message: Type.Object(
    {
      ...messageFields,
      rendered_content: Type.String({ description: "The message's text as HTML." }),
    },
    { description: "The message; `content` is Markdown." },
  ),
};

const content = "@**Build Bot** Is the build green?";

const exampleFor = (path: string, name: string, summary: string) =>
  endpoint({
    name,
    subject: "Outgoing webhooks",
    method: "POST",
    path,
    access: "user",
    summary,
    description:
      "Shows what the server sends to the program of an outgoing webhook bot when a message calls the bot. The answer is always the same example, which has no data of this organization. The server sends the same fields, but for `result` and `msg`, as JSON to the bot's own address.",
    parameters: {},
    reply: outgoingWebhookPayload,
    errors: [],
    emits: [],
    example: {
      parameters: {},
      reply: {
        bot_email: "build-bot@demo.test",
        bot_full_name: "Build Bot",
        data: content,
        trigger: "mention",
        token: "Q7xuT3hbU0pWkBz5yGdJ4cVn8sRfLm2A",
        message: {
          ...exampleMessage,
          content,
          content_type: "text/x-markdown",
          subject: "builds",
          rendered_content:
            '<p><span class="user-mention" data-user-id="31">@Build Bot</span> Is the build green?</p>',
        },
      },
    },
    sample: () => ({}),
  });

export const getOutgoingWebhookExample = exampleFor(
  "/service-outgoing-webhook",
  "getOutgoingWebhookExample",
  "Get an example of an outgoing webhook",
);

export const getZulipOutgoingWebhookExample = exampleFor(
  "/zulip-outgoing-webhook",
  "getZulipOutgoingWebhookExample",
  "Get an example of an outgoing webhook, by its older address",
);
