import { channelPermissionList } from "../../api/channels/channel-permissions.ts";
import { type GroupUses, namesGroup, type Objection } from "../groups/uses.ts";
import { channels } from "./channel.ts";
import { channelPermissionOf } from "./permissions.ts";

/** The channels whose permissions name a group. */
export const channelGroupUses: GroupUses = (state, { id }) =>
  [...state.get(channels).all()].flatMap((channel): Objection[] => {
    const settings = channelPermissionList.filter((permission) =>
      namesGroup(channelPermissionOf(state, channel, permission), id),
    );
    if (settings.length === 0) return [];
    return [{ type: "channel", channel_id: channel.id, settings: settings.map(({ name }) => name) }];
  });
