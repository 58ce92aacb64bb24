import { Type } from "typebox";
import { event } from "../event.ts";

const person = Type.Object({
  user_id: Type.Integer({ description: "The person's ID." }),
  email: Type.String({ description: "The person's API email." }),
});
const sender = Type.Object(person.properties, { description: "The user who is typing." });

const direct = {
  message_type: Type.Literal("direct", { description: "The shape of the event." }),
  sender,
  recipients: Type.Array(person, {
    description: "Everyone in the conversation, the sender included.",
  }),
};
const channel = {
  message_type: Type.Literal("stream", { description: "The shape of the event." }),
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

const edited = {
  sender_id: Type.Integer({ description: "The user who is editing." }),
  message_id: Type.Integer({ description: "The message." }),
  recipient: Type.Union(
    [
      Type.Object({
        type: Type.Literal("channel", { description: "A channel message." }),
        channel_id: Type.Integer({ description: "The channel." }),
        topic: Type.String({ description: "The topic." }),
      }),
      Type.Object({
        type: Type.Literal("direct", { description: "A direct message." }),
        user_ids: Type.Array(Type.Integer(), { description: "The people of the conversation, ascending." }),
      }),
    ],
    { description: "The conversation that the message is in." },
  ),
};
const editedExample = {
  sender_id: 10,
  message_id: 1041,
  recipient: { type: "channel" as const, channel_id: 12, topic: "lunch" },
};

export const messageEditingStarted = event({
  type: "typing_edit_message",
  op: "start",
  description: "Someone has started to edit a message that the user can read.",
  payload: edited,
  example: editedExample,
});

export const messageEditingStopped = event({
  type: "typing_edit_message",
  op: "stop",
  description:
    "Someone has stopped editing a message that the user can read, whether or not the edit was saved.",
  payload: edited,
  example: editedExample,
});
