import { Type } from "typebox";
import { userTopicChanged } from "../events/user-topics.ts";
import { registerSection } from "../register-section.ts";

export const registerUserTopics = registerSection({
  fields: {
    user_topics: Type.Array(Type.Object(userTopicChanged.payload), {
      description: "The topics that the user muted, unmuted or follows.",
    }),
    muted_topics: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer()]), {
      description:
        "The user's muted topics: the channel's name, the topic, and since when in UNIX seconds. Deprecated: it is left out for clients that ask for `user_topic` by name.",
    }),
  },
});
