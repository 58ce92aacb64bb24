import { Type } from "typebox";
import { event } from "../event.ts";

export const defaultChannelsChanged = event({
  type: "default_streams",
  description:
    "The default channels, which new people are subscribed to, changed. Guests don't get this event.",
  payload: { default_streams: Type.Array(Type.Integer(), { description: "All of them, as they are now." }) },
  example: { default_streams: [12] },
});

export const defaultChannelGroupsChanged = event({
  type: "default_stream_groups",
  description:
    "The groups of default channels, which people can choose when they join, changed. Guests don't get this event.",
  payload: {
    default_stream_groups: Type.Array(
      Type.Object({
        id: Type.Integer({ description: "The group's ID." }),
        name: Type.String({ description: "Its name." }),
        description: Type.String({ description: "What it is for." }),
        streams: Type.Array(Type.Integer(), { description: "IDs of its channels." }),
      }),
      { description: "All of them, as they are now." },
    ),
  },
  example: {
    default_stream_groups: [{ id: 3, name: "Engineers", description: "For those who build", streams: [12] }],
  },
});
