import { Type } from "typebox";
import { event } from "../event.ts";
import { described } from "../fields.ts";
import { subscriptionProperty, subscriptionValue } from "../subscriptions.ts";

export const subscriptionUpdated = event({
  type: "subscription",
  op: "update",
  description:
    "The user chose something for a channel that they are subscribed to. Muting comes twice, as `is_muted` and as its deprecated opposite `in_home_view`.",
  payload: {
    stream_id: Type.Integer({ description: "The channel." }),
    property: described(subscriptionProperty, "What changed."),
    value: described(
      subscriptionValue,
      "The new value. Null, for what the account's own setting says, goes only to clients that declare `notification_settings_null`; others get what that setting says.",
    ),
  },
  example: { stream_id: 12, property: "is_muted", value: true },
});
