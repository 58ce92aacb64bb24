import { Type } from "typebox";
import { exampleSubscription, subscriptionFields } from "../channels/channel-fields.ts";
import { subscriptionProperty, subscriptionValue } from "../channels/subscriptions.ts";
import { event } from "../event.ts";
import { described } from "../fields.ts";

export const subscriptionAdded = event({
  type: "subscription",
  op: "add",
  description:
    "The user was subscribed to channels. The records list subscribers if the queue was registered with `include_subscribers`.",
  payload: {
    subscriptions: Type.Array(Type.Object(subscriptionFields), { description: "The subscriptions." }),
  },
  example: { subscriptions: [exampleSubscription] },
});

export const subscriptionRemoved = event({
  type: "subscription",
  op: "remove",
  description: "The user was unsubscribed from channels.",
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

export const subscriptionUpdated = event({
  type: "subscription",
  op: "update",
  description:
    "The user changed a setting for a subscribed channel. A change of muting is sent twice: as `is_muted` and as its deprecated opposite `in_home_view`.",
  payload: {
    stream_id: Type.Integer({ description: "The channel." }),
    property: described(subscriptionProperty, "The setting that changed."),
    value: described(
      subscriptionValue,
      "The new value. Null means that the account's own setting applies. It is sent only to clients that declare `notification_settings_null`; others get the value of that setting.",
    ),
  },
  example: { stream_id: 12, property: "is_muted", value: true },
});

const peers = {
  stream_ids: Type.Array(Type.Integer(), { description: "The channels." }),
  user_ids: Type.Array(Type.Integer(), { description: "The people." }),
};

export const peersAdded = event({
  type: "subscription",
  op: "peer_add",
  description: "Other people were subscribed to channels whose subscribers the user can see.",
  payload: peers,
  example: { stream_ids: [12], user_ids: [11] },
});

export const peersRemoved = event({
  type: "subscription",
  op: "peer_remove",
  description: "Other people were unsubscribed from channels whose subscribers the user can see.",
  payload: peers,
  example: { stream_ids: [12], user_ids: [11] },
});
