import type { Channel } from "../../../client/model/channels.ts";

/** What kind of channel it is. */
export function channelIcon(
  channel: Pick<Channel, "isArchived" | "isPrivate" | "isWebPublic"> | undefined,
): "archive" | "lock" | "globe" | "hash" {
  if (channel?.isArchived) return "archive";
  if (channel?.isPrivate) return "lock";
  return channel?.isWebPublic ? "globe" : "hash";
}
