import { actors, topics, type Verbs } from "../walk.ts";

/** Policies for topics, settings of subscriptions, alert words, muted users and own settings. */
export const ownVerbs: Verbs = {
  "set a policy for a topic": [
    4,
    async (walk) => {
      const stream_id = await walk.anyChannel();
      const policy = { stream_id, topic: walk.pick(topics), visibility_policy: walk.upTo(4) };
      return walk.anybody().post("/user_topics", policy);
    },
  ],
  "mute a channel": [
    2,
    async (walk) => {
      const stream_id = await walk.anyChannel();
      return walk.anybody().post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id, property: "is_muted", value: walk.chance(50) }],
      });
    },
  ],
  "mute a person": [
    2,
    (walk) => {
      const path = `/users/me/muted_users/${walk.harness.user(walk.pick(actors)).id}`;
      return walk.chance(50) ? walk.anybody().post(path) : walk.anybody().delete(path);
    },
  ],
  "change alert words": [
    2,
    (walk) => {
      const words = { alert_words: walk.some(["soup", "SOUP?", "ben", "see"]) };
      const path = "/users/me/alert_words";
      return walk.chance(60) ? walk.anybody().post(path, words) : walk.anybody().delete(path, words);
    },
  ],
  "change own settings": [
    2,
    (walk) =>
      walk.anybody().patch("/settings", {
        enter_sends: walk.chance(50),
        web_font_size_px: 12 + walk.upTo(8),
        twenty_four_hour_time: walk.chance(50),
      }),
  ],
};
