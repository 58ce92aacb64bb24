import { Type } from "typebox";
import { endpoint, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";
import { pollAction, todoAction } from "./widgets.ts";

export const addSubmessage = endpoint({
  name: "addSubmessage",
  subject: "Polls",
  method: "POST",
  path: "/submessage",
  access: "user",
  summary: "Take part in a poll or a list of tasks",
  description:
    "Adds a vote, an answer or a task to a poll or a list of tasks that the caller can read. Clients compute the current state from all submessages, in order.",
  parameters: {
    message_id: required(messageId, { description: "The poll or list of tasks." }),
    msg_type: required(Type.Literal("widget"), { description: "The kind of addition: always `widget`." }),
    content: required(Type.Union([...pollAction.anyOf, ...todoAction.anyOf]), {
      description: "The addition, in the form for a poll or for a list of tasks.",
    }),
  },
  reply: {},
  errors: [
    errors.invalidMessage,
    errors.notInteractive,
    errors.wrongWidgetAction,
    errors.widgetAuthorOnly,
    errors.tooManySubmessages,
  ],
  emits: ["submessage", "user_topic"],
  example: {
    parameters: {
      message_id: 85,
      msg_type: "widget",
      content: { type: "vote", key: "canned,0", vote: 1 },
    },
    reply: {},
  },
  sample: (ids) => ({
    message_id: ids.messageId,
    msg_type: "widget" as const,
    content: { type: "vote" as const, key: "canned,0", vote: 1 as const },
  }),
});
