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
