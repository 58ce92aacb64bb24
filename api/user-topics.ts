import { Type } from "typebox";
import { endpoint, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { MAX_TOPIC_LENGTH } from "./limits.ts";

const topic = required(Type.String({ maxLength: MAX_TOPIC_LENGTH }), {
  description:
    "The topic; it need not have messages yet. Empty, `(no topic)` or the display name of the empty topic mean the empty topic.",
});

export const visibilityPolicy = Type.Enum([0, 1, 2, 3], {
  description: "0 none: the topic is as its channel is; 1 muted, 2 unmuted in a muted channel, 3 followed.",
});

export const setTopicVisibility = endpoint({
  name: "setTopicVisibility",
  subject: "User topics",
  method: "POST",
  path: "/user_topics",
  access: "user",
  summary: "Mute, unmute or follow a topic",
  description:
    "Says what the caller wants of a topic. Wanting nothing special of it is possible also in a channel that the caller can't read any more.",
  parameters: {
    stream_id: required(Type.Integer({ minimum: 0 }), { description: "The channel." }),
    topic,
    visibility_policy: required(visibilityPolicy, {
      description:
        "What the caller wants: 0 nothing special, 1 to mute the topic, 2 to see it though its channel is muted, 3 to follow it.",
    }),
  },
  reply: {},
  errors: [errors.invalidChannelId, errors.topicCharacter],
  example: { parameters: { stream_id: 12, topic: "lunch", visibility_policy: 3 }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId, topic: ids.topic, visibility_policy: 3 as const }),
});

export const updateMutedTopic = endpoint({
  name: "updateMutedTopic",
  subject: "User topics",
  method: "PATCH",
  path: "/users/me/subscriptions/muted_topics",
  access: "user",
  summary: "Mute or unmute a topic, for older clients",
  description:
    "Mutes a topic, or takes back whatever the caller wanted of it. Deprecated: `POST /user_topics` can say more.",
  parameters: {
    stream: optional(Type.String(), { description: "The channel by its name; give this or `stream_id`." }),
    stream_id: optional(Type.Integer({ minimum: 0 }), { description: "The channel by its ID." }),
    topic,
    op: required(Type.Union([Type.Literal("add"), Type.Literal("remove")]), {
      description: "`add` mutes the topic, `remove` unmutes it.",
    }),
  },
  reply: {},
  errors: [
    errors.missingStreamId,
    errors.incompatibleParameters,
    errors.invalidChannelId,
    errors.noChannelOfThatName,
    errors.topicCharacter,
  ],
  example: { parameters: { stream_id: 12, topic: "lunch", op: "add" }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId, topic: ids.topic, op: "add" as const }),
});
