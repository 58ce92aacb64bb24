import { actors, channelNames, contents, type Verbs } from "../walk.ts";

export const channelVerbs: Verbs = {
  subscribe: [
    5,
    (walk) =>
      walk.anybody().post("/users/me/subscriptions", {
        subscriptions: [{ name: walk.pick(channelNames) }],
        ...(walk.chance(50) ? { principals: walk.someIds() } : {}),
        ...walk.pick([{}, {}, { invite_only: true }, { is_web_public: true }, { is_default_stream: true }]),
        authorization_errors_fatal: walk.chance(50),
      }),
  ],
  unsubscribe: [
    5,
    (walk) =>
      walk.anybody().delete("/users/me/subscriptions", {
        subscriptions: walk.some(channelNames),
        ...(walk.chance(50) ? { principals: walk.someIds() } : {}),
      }),
  ],
  "change a channel": [
    5,
    async (walk) =>
      walk.as("ada", "ada", "ben", "dev").patch(`/streams/${await walk.anyChannel()}`, {
        ...walk.pick<Record<string, unknown>>([
          { is_private: false },
          { is_private: true },
          { is_private: true, history_public_to_subscribers: true },
          { is_private: true, history_public_to_subscribers: false },
          { is_private: false, is_web_public: true },
          { is_web_public: false },
          { is_private: true, is_default_stream: false, is_web_public: false },
        ]),
        ...(walk.chance(20) ? { new_name: walk.pick(channelNames) } : {}),
        ...(walk.chance(20) ? { description: walk.pick(contents) } : {}),
        ...(walk.chance(20) ? { topics_policy: walk.pick(["inherit", "disable_empty_topic"]) } : {}),
        ...(walk.chance(20) ? { is_default_stream: walk.chance(50) } : {}),
      }),
  ],
  "archive a channel": [
    2,
    async (walk) => walk.as("ada", "dev").delete(`/streams/${await walk.anyChannel()}`),
  ],
  "unarchive a channel": [
    4,
    async (walk) =>
      walk.as("ada", "ben").patch(`/streams/${await walk.anyChannel()}`, { is_archived: false }),
  ],
  "change a permission of a channel": [
    4,
    async (walk) => {
      const setting = walk.pick([
        "can_subscribe_group",
        "can_add_subscribers_group",
        "can_administer_channel_group",
      ]);
      const value = walk.chance(50)
        ? walk.group()
        : {
            direct_members: walk.ids(walk.some(actors)),
            direct_subgroups: walk.some(walk.groups.slice(-2)),
          };
      const channelId = await walk.channel();
      return walk.as("ada", "cleo").patch(`/streams/${channelId}`, { [setting]: { new: value } });
    },
  ],
};
