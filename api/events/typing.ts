import { Type } from "typebox";
import { event } from "../event.ts";

const person = Type.Object({
  user_id: Type.Integer({ description: "The person's ID." }),
  email: Type.String({ description: "The person's API email." }),
});
const sender = Type.Object(person.properties, { description: "Who is typing." });

const direct = {
  message_type: Type.Literal("direct", { description: "Which of the two shapes this is." }),
  sender,
  recipients: Type.Array(person, {
    description: "Everyone in the conversation, the one who types among them.",
  }),
};
const channel = {
  message_type: Type.Literal("stream", { description: "Which of the two shapes this is." }),
  sender,
  stream_id: Type.Integer({ description: "The channel." }),
  topic: Type.String({ description: "The topic." }),
};
const dev = { user_id: 10, email: "dev@demo.test" };
const directExample = {
  message_type: "direct" as const,
  sender: dev,
  recipients: [{ user_id: 9, email: "cleo@demo.test" }, dev],
};
const channelExample = { message_type: "stream" as const, sender: dev, stream_id: 12, topic: "lunch" };

export const directTypingStarted = event({
  type: "typing",
  op: "start",
  variant: "direct",
  description: "Someone has started to write in a direct-message conversation of the user.",
  payload: direct,
  example: directExample,
});

export const directTypingStopped = event({
  type: "typing",
  op: "stop",
  variant: "direct",
  description: "Someone has stopped writing in a direct-message conversation of the user.",
  payload: direct,
  example: directExample,
});

export const channelTypingStarted = event({
  type: "typing",
  op: "start",
  variant: "channel",
  description:
    "Someone has started to write in a channel that the user is subscribed to. Only for clients with the capability `stream_typing_notifications`.",
  payload: channel,
  example: channelExample,
});

export const channelTypingStopped = event({
  type: "typing",
  op: "stop",
  variant: "channel",
  description:
    "Someone has stopped writing in a channel that the user is subscribed to. Only for clients with the capability `stream_typing_notifications`.",
  payload: channel,
  example: channelExample,
});
