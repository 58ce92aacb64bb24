import type { ChannelPermission } from "../../../api/channel-permissions.ts";
import type { Change } from "../../platform/log/change.ts";
import type { GroupValue } from "../groups/group.ts";
import type { Viewer } from "../users/viewer.ts";
import type { Channel } from "./channel.ts";
import type { Outcome } from "./subscriptions/subscribe.ts";

/**
 * Messages that tell of what happened to channels. Messages stand above channels on the ladder, so whoever brings the rooms
 * together hands these in. Each posts within the change that it tells of, once the verb has done its work, or does nothing
 * where the organization wants no such messages. `channel` is the channel as it is after the change, `before` as it was.
 */
export interface ChannelNotices {
  /**
   * Channels that were made in one call. `isAnnounced`: also where the organization announces new ones; `isIn`: the viewer
   * was subscribed to them.
   */
  channelsCreated(
    tx: Change,
    viewer: Viewer,
    channels: readonly Channel[],
    options: { isAnnounced: boolean; isIn: boolean },
  ): Promise<void>;
  /**
   * Tells people whom the viewer has subscribed, each in a direct message, but not of the channels that were made with them;
   * false if all who were subscribed are too many to be told.
   */
  subscribedByOther(
    tx: Change,
    viewer: Viewer,
    outcomes: readonly Outcome[],
    created: readonly Channel[],
  ): Promise<boolean>;
  channelRenamed(tx: Change, viewer: Viewer, channel: Channel, oldName: string): Promise<void>;
  descriptionChanged(tx: Change, viewer: Viewer, channel: Channel, oldDescription: string): Promise<void>;
  /** Whether it is private or web-public, or whether its history is shared with new subscribers. */
  privacyChanged(tx: Change, viewer: Viewer, channel: Channel, before: Channel): Promise<void>;
  permissionChanged(
    tx: Change,
    viewer: Viewer,
    channel: Channel,
    change: { permission: ChannelPermission; from: GroupValue; to: GroupValue },
  ): Promise<void>;
  topicsPolicyChanged(tx: Change, viewer: Viewer, channel: Channel, before: Channel): Promise<void>;
  retentionChanged(tx: Change, viewer: Viewer, channel: Channel, before: Channel): Promise<void>;
  /** Folder names as they are now; null for no folder. */
  folderChanged(
    tx: Change,
    viewer: Viewer,
    channel: Channel,
    folders: { from: string | null; to: string | null },
  ): Promise<void>;
  archived(tx: Change, viewer: Viewer, channel: Channel): Promise<void>;
  unarchived(tx: Change, viewer: Viewer, channel: Channel): Promise<void>;
}
