import { Type } from "typebox";
import { visibilityPolicy } from "../attention/user-topics.ts";
import { event } from "../event.ts";

export const userTopicChanged = event({
  type: "user_topic",
  description:
    "The user's visibility policy for a topic changed: by the user, or automatically when the user took part in the topic.",
  payload: {
    stream_id: Type.Integer({ description: "The channel." }),
    topic_name: Type.String({ description: "The topic." }),
    last_updated: Type.Integer({ description: "When, in UNIX seconds." }),
    visibility_policy: visibilityPolicy,
  },
  example: { stream_id: 12, topic_name: "lunch", last_updated: 1700000000, visibility_policy: 3 },
});

export const mutedTopicsChanged = event({
  type: "muted_topics",
  description:
    "The user's muted topics changed. Deprecated: queues that ask for `user_topic` by name don't get it.",
  payload: {
    muted_topics: Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer()])), {
      description:
        "All muted topics, each with the channel's name, the topic, and the time of muting in UNIX seconds.",
    }),
  },
  example: { muted_topics: [["general", "lunch", 1700000000]] },
});
