import { type Static, type TSchema, Type } from "typebox";
import type { Reply } from "../endpoint.ts";
import { groupValue } from "../groups/group-value.ts";
import { MAX_CHANNELS_A_CALL } from "../limits.ts";
import { channelPermissionList } from "./channel-permissions.ts";

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const topicsPolicyValue = Type.Union([
  Type.Literal("inherit"),
  Type.Literal("allow_empty_topic"),
  Type.Literal("disable_empty_topic"),
  Type.Literal("empty_topic_only"),
]);
export type TopicsPolicy = Static<typeof topicsPolicyValue>;

/** A channel as everyone who can see it sees it (spec Channel). */
export const channelFields = {
  stream_id: Type.Integer({ description: "The channel's ID." }),
  name: Type.String({ description: "Its name, unique in the organization apart from letter case." }),
  description: Type.String({ description: "What it is for, in Markdown." }),
  rendered_description: Type.String({ description: "The description as HTML." }),
  date_created: Type.Integer({ description: "When it was created, in UNIX seconds." }),
  creator_id: orNull(Type.Integer(), "The user who created it; null if unknown."),
  invite_only: Type.Boolean({ description: "Whether it is private." }),
  is_web_public: Type.Boolean({ description: "Whether it can be read without an account." }),
  history_public_to_subscribers: Type.Boolean({
    description: "Whether subscribers see messages that were sent before they subscribed.",
  }),
  is_archived: Type.Boolean({
    description: "Whether it is archived: messages can be read, but none can be sent.",
  }),
  folder_id: orNull(Type.Integer(), "The channel's folder; null for none."),
  topics_policy: Type.Union(topicsPolicyValue.anyOf, {
    description:
      "Which topics messages may have: `inherit` (named ones, and the empty topic if the organization allows it), `allow_empty_topic`, `disable_empty_topic`, `empty_topic_only`.",
  }),
  message_retention_days: orNull(
    Type.Integer(),
    "After how many days messages are deleted; -1 for never, null for the organization's setting.",
  ),
  stream_post_policy: Type.Integer({
    description:
      "Deprecated: who may post; 1 anyone, 2 administrators, 3 full members, 4 moderators. See `can_send_message_group`.",
  }),
  is_announcement_only: Type.Boolean({ description: "Deprecated: whether only administrators may post." }),
  first_message_id: orNull(Type.Integer(), "The oldest message's ID; null if there is none."),
  is_recently_active: Type.Boolean({
    description: "Whether a message was sent in the last 180 days, or the channel was created then.",
  }),
  stream_weekly_traffic: orNull(
    Type.Integer(),
    "Messages per week, averaged over the last 28 days; null for a channel younger than a week.",
  ),
  subscriber_count: Type.Integer({ description: "How many active people and bots are subscribed." }),
  ...Object.fromEntries(
    channelPermissionList.map(({ name, description }) => [
      name,
      Type.Union(groupValue.anyOf, { description }),
    ]),
  ),
};

export type ChannelRecord = Reply<typeof channelFields>;

const subscriberLists = {
  subscribers: Type.Optional(
    Type.Array(Type.Integer(), { description: "IDs of all subscribers, if subscribers were asked for." }),
  ),
  partial_subscribers: Type.Optional(
    Type.Array(Type.Integer(), {
      description:
        "Replaces `subscribers` for a channel with 250 or more subscribers when the client asked for `partial`. Lists bots, and people active in the last 14 days.",
    }),
  ),
};

const orInherit = (setting: string, what: string) =>
  orNull(Type.Boolean(), `Whether messages ${what}; null to follow the user's \`${setting}\`.`);

/** A channel as its subscriber sees it (spec Channel). */
export const subscriptionFields = {
  ...channelFields,
  color: Type.String({ description: "The user's color for the channel, such as `#5b8def`." }),
  is_muted: Type.Boolean({ description: "Whether the user has muted it." }),
  in_home_view: Type.Boolean({ description: "Deprecated: the opposite of `is_muted`." }),
  pin_to_top: Type.Boolean({ description: "Whether the user has pinned it." }),
  desktop_notifications: orInherit("enable_stream_desktop_notifications", "show desktop notifications"),
  audible_notifications: orInherit("enable_stream_audible_notifications", "make a sound"),
  push_notifications: orInherit("enable_stream_push_notifications", "go to the user's devices"),
  email_notifications: orInherit("enable_stream_email_notifications", "are emailed while the user is away"),
  wildcard_mentions_notify: orInherit("wildcard_mentions_notify", "that mention everyone notify the user"),
  ...subscriberLists,
};

export type SubscriptionRecord = Reply<typeof subscriptionFields>;

/** A channel that the user can see and was never subscribed to. */
export const neverSubscribedFields = { ...channelFields, ...subscriberLists };

export const folderFields = {
  id: Type.Integer({ description: "The folder's ID." }),
  name: Type.String({ description: "Its name." }),
  description: Type.String({ description: "What belongs in it, in Markdown." }),
  rendered_description: Type.String({ description: "The description as HTML." }),
  creator_id: orNull(Type.Integer(), "The user who created it; null if unknown."),
  date_created: orNull(Type.Integer(), "When it was created, in UNIX seconds."),
  is_archived: Type.Boolean({ description: "Whether it is archived." }),
  order: Type.Integer({ description: "Its position among the folders, counted from 0." }),
};

export type FolderRecord = Reply<typeof folderFields>;

export const exampleChannel = {
  stream_id: 12,
  name: "design",
  description: "How things *look*",
  rendered_description: "<p>How things <em>look</em></p>",
  date_created: 1767225600,
  creator_id: 8,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  is_archived: false,
  folder_id: null,
  topics_policy: "inherit" as const,
  message_retention_days: null,
  stream_post_policy: 1,
  is_announcement_only: false,
  first_message_id: 1001,
  is_recently_active: true,
  stream_weekly_traffic: null,
  subscriber_count: 3,
  ...Object.fromEntries(channelPermissionList.map(({ name }) => [name, 1])),
};

export const exampleSubscription = {
  ...exampleChannel,
  color: "#5b8def",
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};

export const exampleFolder = {
  id: 4,
  name: "Product",
  description: "What we make",
  rendered_description: "<p>What we make</p>",
  creator_id: 8,
  date_created: 1767225600,
  is_archived: false,
  order: 0,
};

/** Channels, each named by its name. */
export const channelNames = Type.Array(Type.String(), { maxItems: MAX_CHANNELS_A_CALL });
