import { Type } from "typebox";
import { channelFields, exampleChannel } from "../channels/channel-fields.ts";
import { event } from "../event.ts";
import { groupValue } from "../groups/group-value.ts";

export const channelCreated = event({
  type: "stream",
  op: "create",
  description: "A channel was created, or it became visible to the user.",
  payload: { streams: Type.Array(Type.Object(channelFields), { description: "The channels." }) },
  example: { streams: [exampleChannel] },
});

export const channelDeleted = event({
  type: "stream",
  op: "delete",
  description: "The user can no longer see a channel.",
  payload: {
    stream_ids: Type.Array(Type.Integer(), { description: "The channels." }),
    streams: Type.Array(Type.Object({ stream_id: Type.Integer({ description: "A channel's ID." }) }), {
      description: "Deprecated: the channels as objects.",
    }),
  },
  example: { stream_ids: [12], streams: [{ stream_id: 12 }] },
});

export const channelUpdated = event({
  type: "stream",
  op: "update",
  description:
    "A property of a channel changed. There is one event for each property. If the name changes with other properties, the events after the name's carry the new name. Clients without the `archived_channels` capability get `delete` when a channel is archived and `create` when it is unarchived.",
  payload: {
    stream_id: Type.Integer({ description: "The channel's ID." }),
    name: Type.String({ description: "The channel's name; the old one if the name changed." }),
    property: Type.String({ description: "Which field of the channel object changed." }),
    value: Type.Union([Type.Boolean(), Type.String(), Type.Null(), ...groupValue.anyOf], {
      description: "The new value.",
    }),
    rendered_description: Type.Optional(
      Type.String({ description: "For `description`: the description as HTML." }),
    ),
    history_public_to_subscribers: Type.Optional(
      Type.Boolean({
        description:
          "For `invite_only`: whether subscribers see messages that were sent before they subscribed.",
      }),
    ),
    is_web_public: Type.Optional(
      Type.Boolean({ description: "For `invite_only`: whether the channel can be read without an account." }),
    ),
  },
  example: { stream_id: 12, name: "design", property: "topics_policy", value: "disable_empty_topic" },
});
