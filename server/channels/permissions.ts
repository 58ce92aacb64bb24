import { type ChannelPermission, channelPermissionList } from "../../api/channels/channel-permissions.ts";
import { type GroupValue, groups, isInGroupValue } from "../groups/group.ts";
import { parseGroupValue } from "../groups/group-value.ts";
import type { User } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Channel } from "./channel.ts";

/** The value of a permission in a channel: the channel's own value, or the default. */
export function channelPermissionOf(
  state: OrganizationState,
  channel: Channel,
  permission: ChannelPermission,
): GroupValue {
  const chosen = channel.groupSettings[permission.name];
  if (chosen !== undefined) return chosen;
  if (permission.defaultGroup !== "creator") return state.get(groups).system(permission.defaultGroup).id;
  if (channel.creatorId === null) return state.get(groups).system("nobody").id;
  return { direct_members: [channel.creatorId], direct_subgroups: [] };
}

export function canDoInChannel(
  state: OrganizationState,
  user: User,
  channel: Channel,
  permission: ChannelPermission,
): boolean {
  return isInGroupValue(state, channelPermissionOf(state, channel, permission), user);
}

/**
 * The permissions for a new channel among a request's parameters, by their wire names. Throws for a group
 * that is not allowed.
 */
export function parseChannelPermissions(
  state: OrganizationState,
  given: (permission: ChannelPermission) => GroupValue | undefined,
): Record<string, GroupValue> {
  const chosen: Record<string, GroupValue> = {};
  for (const permission of channelPermissionList) {
    const value = given(permission);
    if (value !== undefined) chosen[permission.name] = parseGroupValue(state, permission, value);
  }
  return chosen;
}
