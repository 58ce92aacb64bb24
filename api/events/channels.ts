import { Type } from "typebox";
import {
  channelFields,
  exampleChannel,
  exampleFolder,
  exampleSubscription,
  folderFields,
  subscriptionFields,
} from "../channel-fields.ts";
import { event } from "../event.ts";
import { groupValue } from "../group-value.ts";

export const channelCreated = event({
  type: "stream",
  op: "create",
  description: "A channel was made, or the user may know of it from now on.",
  payload: { streams: Type.Array(Type.Object(channelFields), { description: "The channels." }) },
  example: { streams: [exampleChannel] },
});

export const channelDeleted = event({
  type: "stream",
  op: "delete",
  description: "The user may not know of a channel any more.",
  payload: {
    stream_ids: Type.Array(Type.Integer(), { description: "The channels." }),
    streams: Type.Array(Type.Object({ stream_id: Type.Integer({ description: "A channel's ID." }) }), {
      description: "Deprecated: the same as objects.",
    }),
  },
  example: { stream_ids: [12], streams: [{ stream_id: 12 }] },
});

export const channelUpdated = event({
  type: "stream",
  op: "update",
  description:
    "A property of a channel changed. An event for each: where several changed at once, the name is the new one in those after its own. Clients without the `archived_channels` capability hear `delete` and `create` when a channel is archived and brought back.",
  payload: {
    stream_id: Type.Integer({ description: "The channel's ID." }),
    name: Type.String({ description: "The channel's name; the old one if it is the name that changed." }),
    property: Type.String({ description: "Which field of the channel object changed." }),
    value: Type.Union([Type.Boolean(), Type.String(), Type.Null(), ...groupValue.anyOf], {
      description: "Its value now.",
    }),
    rendered_description: Type.Optional(Type.String({ description: "For `description`: the same as HTML." })),
    history_public_to_subscribers: Type.Optional(
      Type.Boolean({
        description: "For `invite_only`: whether subscribers see what was sent before they came.",
      }),
    ),
    is_web_public: Type.Optional(
      Type.Boolean({ description: "For `invite_only`: whether the channel can be read without an account." }),
    ),
  },
  example: { stream_id: 12, name: "design", property: "topics_policy", value: "disable_empty_topic" },
});

export const subscriptionAdded = event({
  type: "subscription",
  op: "add",
  description:
    "The user was subscribed to channels. The records list subscribers if the queue was registered for that.",
  payload: {
    subscriptions: Type.Array(Type.Object(subscriptionFields), { description: "The subscriptions." }),
  },
  example: { subscriptions: [exampleSubscription] },
});

export const subscriptionRemoved = event({
  type: "subscription",
  op: "remove",
  description: "The user is not subscribed to channels any more.",
  payload: {
    subscriptions: Type.Array(
      Type.Object({
        stream_id: Type.Integer({ description: "The channel's ID." }),
        name: Type.String({ description: "The channel's name." }),
      }),
      { description: "The channels." },
    ),
  },
  example: { subscriptions: [{ stream_id: 12, name: "design" }] },
});

const peers = {
  stream_ids: Type.Array(Type.Integer(), { description: "The channels." }),
  user_ids: Type.Array(Type.Integer(), { description: "The people." }),
};

export const peersAdded = event({
  type: "subscription",
  op: "peer_add",
  description: "Others were subscribed to channels whose subscribers the user may know.",
  payload: peers,
  example: { stream_ids: [12], user_ids: [11] },
});

export const peersRemoved = event({
  type: "subscription",
  op: "peer_remove",
  description: "Others are not subscribed any more to channels whose subscribers the user may know.",
  payload: peers,
  example: { stream_ids: [12], user_ids: [11] },
});

export const defaultChannelsChanged = event({
  type: "default_streams",
  description:
    "Other channels than before are the ones that new people are subscribed to. Guests don't hear of it.",
  payload: { default_streams: Type.Array(Type.Integer(), { description: "All of them." }) },
  example: { default_streams: [12] },
});

export const folderAdded = event({
  type: "channel_folder",
  op: "add",
  description: "A folder for channels was made.",
  payload: { channel_folder: Type.Object(folderFields, { description: "The folder." }) },
  example: { channel_folder: exampleFolder },
});

export const folderUpdated = event({
  type: "channel_folder",
  op: "update",
  description: "A folder changed.",
  payload: {
    channel_folder_id: Type.Integer({ description: "The folder." }),
    data: Type.Object(
      {
        name: Type.Optional(Type.String({ description: "Its new name." })),
        description: Type.Optional(Type.String({ description: "Its new description, in Markdown." })),
        rendered_description: Type.Optional(Type.String({ description: "The new description as HTML." })),
        is_archived: Type.Optional(Type.Boolean({ description: "Whether it is out of use." })),
      },
      { description: "The fields that changed." },
    ),
  },
  example: { channel_folder_id: 4, data: { name: "Products" } },
});

export const foldersReordered = event({
  type: "channel_folder",
  op: "reorder",
  description: "The folders stand in another order.",
  payload: {
    order: Type.Array(Type.Integer(), { description: "The IDs of all folders, archived ones too, in it." }),
  },
  example: { order: [4, 2, 3] },
});
