import { Type } from "typebox";
import { event } from "../event.ts";
import { exampleMessage, flagNames, messageFields } from "../messages/message.ts";

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

const deletedFrom = {
  message_type: Type.Union([Type.Literal("stream"), Type.Literal("private")], {
    description: "`stream` for channel messages, `private` for direct ones.",
  }),
  stream_id: Type.Optional(Type.Integer({ description: "The channel that they were in." })),
  topic: Type.Optional(Type.String({ description: "The topic that they were in." })),
};

export const messagesDeleted = event({
  type: "delete_message",
  variant: "several",
  description:
    "Messages were deleted, or the user can no longer read them. For clients with `bulk_message_deletion`.",
  payload: {
    message_ids: Type.Array(Type.Integer(), { description: "The messages, ascending." }),
    ...deletedFrom,
  },
  example: { message_ids: [1040, 1041], message_type: "stream", stream_id: 12, topic: "lunch" },
});

export const messageDeleted = event({
  type: "delete_message",
  variant: "one",
  description:
    "A message was deleted, or the user can no longer read it. For clients without `bulk_message_deletion`: one event for each message.",
  payload: { message_id: Type.Integer({ description: "The message." }), ...deletedFrom },
  example: { message_id: 1041, message_type: "stream", stream_id: 12, topic: "lunch" },
});

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const messageUpdated = event({
  type: "update_message",
  description:
    "The text of a message was edited, messages were moved to another topic or channel, or a preview of a link came late.",
  payload: {
    user_id: Type.Union([Type.Integer(), Type.Null()], {
      description: "The user who made the change; null if only the HTML changed.",
    }),
    rendering_only: Type.Boolean({
      description:
        "Whether only the HTML changed, since a preview of a link came late. Nobody edited the message: `user_id` is null, its history and its time of the last edit stay.",
    }),
    message_id: Type.Integer({
      description: "The message that was edited, or from which the move was made.",
    }),
    message_ids: Type.Array(Type.Integer(), {
      description: "All edited or moved messages, in ascending order.",
    }),
    flags: flagNames,
    edit_timestamp: Type.Integer({ description: "When, in UNIX seconds." }),
    stream_name: optionalText("The name of the channel; for a move, of the old one."),
    stream_id: Type.Optional(Type.Integer({ description: "The channel; for a move, the old one." })),
    orig_subject: optionalText("For a move: the old topic."),
    subject: optionalText("The new topic, if it changed."),
    topic_links: Type.Optional(messageFields.topic_links),
    propagate_mode: optionalText("For a move: `change_one`, `change_later` or `change_all`."),
    new_stream_id: Type.Optional(Type.Integer({ description: "The new channel, if it changed." })),
    orig_content: optionalText("For an edit: the old text, in Markdown."),
    orig_rendered_content: optionalText("For an edit: the old text as HTML."),
    content: optionalText("For an edit: the new text, in Markdown."),
    rendered_content: optionalText("For an edit: the new text as HTML."),
    is_me_message: Type.Optional(Type.Boolean({ description: "For an edit: whether it begins with `/me`." })),
  },
  example: {
    user_id: 10,
    rendering_only: false,
    message_id: 1041,
    message_ids: [1041],
    flags: [],
    edit_timestamp: 1793000060,
    stream_id: 12,
    stream_name: "kitchen",
    orig_content: "Soup today?",
    orig_rendered_content: "<p>Soup today?</p>",
    content: "Soup at noon?",
    rendered_content: "<p>Soup at noon?</p>",
    is_me_message: false,
  },
});
