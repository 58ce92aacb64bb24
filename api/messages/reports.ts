import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_REPORT_LENGTH } from "../limits.ts";
import { messageId } from "./message.ts";

export const reportMessage = endpoint({
  name: "reportMessage",
  subject: "Reports",
  method: "POST",
  path: "/messages/{message_id}/report",
  access: "user",
  summary: "Report a message",
  description: "Reports a message to the organization's moderators, in their channel for such reports.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    report_type: required(Type.Enum(["spam", "harassment", "inappropriate", "norms", "other"]), {
      description: "The reason for the report.",
    }),
    description: optional(Type.String({ maxLength: 10 * MAX_REPORT_LENGTH }), {
      description: `An explanation of at most ${MAX_REPORT_LENGTH} characters; required for \`other\`.`,
    }),
  },
  reply: {},
  errors: [
    errors.invalidMessage,
    errors.reportingNotEnabled,
    errors.reportNeedsDescription,
    errors.reportTooLong,
  ],
  emits: ["message"],
  example: { parameters: { message_id: 72, report_type: "spam" }, reply: {} },
  sample: (ids) => ({ message_id: ids.messageId, report_type: "spam" as const }),
});
