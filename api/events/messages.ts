import { Type } from "typebox";
import { event } from "../event.ts";
import { exampleMessage, flagNames, messageFields } from "../messages.ts";

export const messageSent = event({
  type: "message",
  description:
    "A message was sent to a channel that the user is subscribed to, or to the user directly; with `all_public_streams`, to any public channel.",
  payload: {
    message: Type.Object(messageFields, { description: "The message." }),
    flags: flagNames,
    local_message_id: Type.Optional(
      Type.String({ description: "The `local_id` of the request, in the queue that it named." }),
    ),
    local_id: Type.Optional(Type.String({ description: "Equal to `local_message_id`." })),
  },
  example: { message: exampleMessage, flags: [] },
});
