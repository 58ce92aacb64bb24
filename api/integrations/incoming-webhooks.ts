import { Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_EVENT_PATTERN_LENGTH, MAX_EVENT_PATTERNS, MAX_WEBHOOK_TEMPLATE_LENGTH } from "../limits.ts";

const patterns = Type.Array(Type.String({ maxLength: MAX_EVENT_PATTERN_LENGTH }), {
  maxItems: MAX_EVENT_PATTERNS,
});

export const callIncomingWebhook = endpoint({
  name: "callIncomingWebhook",
  subject: "Incoming webhooks",
  method: "POST",
  path: "/external/{integration_name}",
  access: "user",
  summary: "Post an event of another program",
  description:
    "Other programs call this address when something happens. The event becomes a message of the caller, as a rule a bot. The body is in the format of the other program, and `/integrations` on a running server lists the programs. Parameters are in the query, or in a form that has `payload`. The API key may be in the query, as `api_key`, without an email address. A delivery that the program repeats within a day is posted once, if the program names its deliveries.",
  parameters: {
    integration_name: inPath(Type.String(), {
      description:
        "The format of the body: `json`, `slack_incoming`, or the name of a program such as `github`.",
    }),
    api_key: optional(Type.String(), {
      description: "The caller's API key, in place of HTTP Basic credentials. It counts only in the query.",
    }),
    stream: optional(Type.Union([Type.Integer(), Type.String()]), {
      description:
        "The channel, by its ID or name. Without it, the message is a direct message to the bot's owner.",
    }),
    topic: optional(Type.String(), { description: "The topic. By default, the event decides." }),
    only_events: optional(patterns, {
      description:
        "Post only events whose names match one of these patterns, such as `issues.*`. `*`, `?` and `[…]` mean what they mean in a shell.",
    }),
    exclude_events: optional(patterns, {
      description: "Don't post events whose names match one of these patterns.",
    }),
    secret: optional(Type.String({ maxLength: 256 }), {
      description:
        "The secret with which the program signs its requests. With it, requests that are not signed are refused.",
    }),
    template: optional(Type.String({ maxLength: MAX_WEBHOOK_TEMPLATE_LENGTH }), {
      description:
        "For `json`: the message's text, with `{{path.to.field}}` for values of the payload. By default, the message is the JSON itself.",
    }),
    payload: optional(Type.String(), {
      description: "In a form: the payload as JSON. Without it, the form or the body is the payload.",
    }),
  },
  reply: {
    ok: Type.Optional(Type.Boolean({ description: "Always true; present for programs that look for it." })),
  },
  rawBody: true,
  keyInQuery: true,
  isForWriteOnlyBots: true,
  errors: [
    errors.unknownIntegration,
    errors.unsupportedWebhookEvent,
    errors.missingEventHeader,
    errors.malformedPayload,
    errors.anomalousPayload,
    errors.webhookSecretMissing,
    errors.webhookSignatureMissing,
    errors.webhookSignatureWrong,
    errors.channelDoesNotExist,
    errors.channelIdDoesNotExist,
    errors.channelWildcardNotAllowed,
    errors.topicWildcardNotAllowed,
    errors.groupMentionNotAllowed,
    errors.emptyMessage,
    errors.recipientDeactivated,
    errors.directMessagesNotAllowed,
    errors.notAuthorizedToSend,
    errors.postingDenied,
    errors.topicRequired,
    errors.emptyTopicResolved,
    errors.topicNotAllowed,
    errors.topicCharacter,
  ],
  emits: ["message"],
  example: {
    parameters: {
      integration_name: "json",
      stream: "general",
      topic: "lunch",
      template: "{{meal}} is ready.",
      payload: '{"meal":"Soup"}',
    },
    reply: {},
  },
  sample: (ids) => ({
    integration_name: "json",
    stream: ids.channelId,
    topic: ids.topic,
    template: "{{meal}} is ready.",
    payload: '{"meal":"Soup"}',
  }),
});
