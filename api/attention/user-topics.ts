import { Type } from "typebox";
import { RESOLVED_PREFIX, topicRoom } from "../channels/topic-name.ts";
import { endpoint, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_TOPIC_LENGTH } from "../limits.ts";

const topic = required(Type.String({ maxLength: topicRoom(RESOLVED_PREFIX, MAX_TOPIC_LENGTH) }), {
  description:
    "The topic, which may have no messages yet. An empty name, `(no topic)` and the display name of the empty topic all mean the empty topic.",
});

export const visibilityPolicy = Type.Enum([0, 1, 2, 3], {
  description: "0 none: the topic follows its channel; 1 muted, 2 unmuted in a muted channel, 3 followed.",
});

export const setTopicVisibility = endpoint({
  name: "setTopicVisibility",
  subject: "User topics",
  method: "POST",
  path: "/user_topics",
  access: "user",
  summary: "Mute, unmute or follow a topic",
  description:
    "Sets the caller's visibility policy for a topic. Setting it to 0 is possible even in a channel that the caller can no longer read.",
  parameters: {
    stream_id: required(Type.Integer({ minimum: 0 }), { description: "The channel." }),
    topic,
    visibility_policy: required(visibilityPolicy, {
      description:
        "0 to remove the policy, 1 to mute the topic, 2 to unmute it in a muted channel, 3 to follow it.",
    }),
  },
  reply: {},
  errors: [errors.invalidChannelId, errors.topicCharacter, errors.tooManyTopicPolicies],
  emits: ["user_topic", "muted_topics"],
  example: { parameters: { stream_id: 1, topic: "lunch", visibility_policy: 3 }, reply: {} },
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
    "Mutes a topic, or removes any visibility policy that the caller set for it. Deprecated: `POST /user_topics` supports all policies.",
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
    errors.tooManyTopicPolicies,
  ],
  emits: ["user_topic", "muted_topics"],
  example: { parameters: { stream_id: 1, topic: "lunch", op: "add" }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId, topic: ids.topic, op: "add" as const }),
});
