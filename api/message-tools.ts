import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { MAX_REPORT_LENGTH } from "./limits.ts";
import { messageId } from "./message.ts";
import { narrowParameter } from "./messages.ts";

const message = inPath(messageId, { description: "The message." });

export const renderMessage = endpoint({
  name: "renderMessage",
  subject: "Messages",
  method: "POST",
  path: "/messages/render",
  access: "user",
  summary: "Render a message",
  description: "Returns a text as the HTML that a message with it would have. Nothing is sent.",
  parameters: { content: required(Type.String(), { description: "The text, in Markdown." }) },
  reply: { rendered: Type.String({ description: "The text as HTML." }) },
  errors: [errors.emptyMessage],
  example: { parameters: { content: "**Soup**" }, reply: { rendered: "<p><strong>Soup</strong></p>" } },
  sample: () => ({ content: "**Soup**" }),
});

export const checkMessagesMatchNarrow = endpoint({
  name: "checkMessagesMatchNarrow",
  subject: "Messages",
  method: "GET",
  path: "/messages/matches_narrow",
  access: "user",
  summary: "Check which messages match a narrow",
  description:
    "Returns those of some messages that match a narrow and that the caller can read: for messages that came by events. Words are found in them at once. Of messages that have more than 8 MiB of text together, or 2 MiB where words are searched for, the oldest are left out.",
  parameters: {
    msg_ids: required(Type.Array(messageId), { description: "The messages; at most 5,000." }),
    narrow: narrowParameter,
  },
  reply: {
    messages: Type.Record(
      Type.String(),
      Type.Object({
        match_content: Type.String({
          description:
            "The text as HTML; if the narrow searches for words, they are in `span` elements of the class `highlight`.",
        }),
        match_subject: Type.String({ description: "The topic as HTML, likewise." }),
      }),
      { description: "Those that match, by their IDs." },
    ),
  },
  errors: [errors.badNarrow, errors.tooManyMessages],
  example: {
    parameters: { msg_ids: [1041], narrow: [{ operator: "channel", operand: "general" }] },
    reply: { messages: { "1041": { match_content: "<p>Soup today?</p>", match_subject: "lunch" } } },
  },
  sample: (ids) => ({
    msg_ids: [ids.messageId],
    narrow: [{ operator: "topic", operand: ids.topic }],
  }),
});

export const getReadReceipts = endpoint({
  name: "getReadReceipts",
  subject: "Messages",
  method: "GET",
  path: "/messages/{message_id}/read_receipts",
  access: "user",
  summary: "Get who has read a message",
  description:
    "Returns the people who received a message and have read it: without its sender, those who keep to themselves what they have read, and those who have muted the caller or whom the caller has muted.",
  parameters: { message_id: message },
  reply: { user_ids: Type.Array(Type.Integer(), { description: "The people." }) },
  errors: [errors.invalidMessage, errors.readReceiptsDisabled],
  example: { parameters: { message_id: 1041 }, reply: { user_ids: [9, 11] } },
  sample: (ids) => ({ message_id: ids.messageId }),
});

export const reportMessage = endpoint({
  name: "reportMessage",
  subject: "Messages",
  method: "POST",
  path: "/messages/{message_id}/report",
  access: "user",
  summary: "Report a message",
  description: "Tells the organization's moderators of a message, in the channel that they have for it.",
  parameters: {
    message_id: message,
    report_type: required(Type.Enum(["spam", "harassment", "inappropriate", "norms", "other"]), {
      description: "What is wrong with it.",
    }),
    description: optional(Type.String({ maxLength: 10 * MAX_REPORT_LENGTH }), {
      description: `More about it, in at most ${MAX_REPORT_LENGTH} characters; needed for \`other\`.`,
    }),
  },
  reply: {},
  errors: [
    errors.invalidMessage,
    errors.reportingNotEnabled,
    errors.reportNeedsDescription,
    errors.reportTooLong,
  ],
  example: { parameters: { message_id: 1041, report_type: "spam" }, reply: {} },
  sample: (ids) => ({ message_id: ids.messageId, report_type: "spam" as const }),
});
