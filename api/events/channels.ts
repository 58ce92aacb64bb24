import { Type } from "typebox";
import { channelFields, exampleChannel } from "../channel-fields.ts";
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
