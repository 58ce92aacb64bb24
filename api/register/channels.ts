import { Type } from "typebox";
import {
  channelFields,
  folderFields,
  neverSubscribedFields,
  subscriptionFields,
} from "../channels/channel-fields.ts";
import { defaultChannelGroupsChanged } from "../events/default-channels.ts";
import { registerSection } from "../register-section.ts";

export const registerChannels = registerSection({
  fields: {
    streams: Type.Array(Type.Object(channelFields), {
      description: "The channels that the user may know of.",
    }),
    subscriptions: Type.Array(Type.Object(subscriptionFields), {
      description: "The channels that the user is subscribed to.",
    }),
    unsubscribed: Type.Array(Type.Object(subscriptionFields), {
      description: "The channels that the user is no longer subscribed to.",
    }),
    never_subscribed: Type.Array(Type.Object(neverSubscribedFields), {
      description: "The other channels that the user may know of.",
    }),
    channel_folders: Type.Array(Type.Object(folderFields), {
      description: "The folders, archived ones too.",
    }),
    realm_default_streams: Type.Array(Type.Integer(), {
      description: "IDs of the channels that new people are subscribed to. Empty for guests.",
    }),
    realm_default_stream_groups: Type.Array(defaultChannelGroupsChanged.payload.default_stream_groups.items, {
      description: "The sets of channels that people can choose from when they join. Empty for guests.",
    }),
  },
});
