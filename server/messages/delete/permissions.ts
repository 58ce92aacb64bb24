import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { channelPermissions } from "../../../api/channels/channel-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { canDoInChannel } from "../../channels/permissions.ts";
import { canDo } from "../../groups/group-setting.ts";
import { settingOf } from "../../organization/setting.ts";
import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { FetchedRow } from "../model/message.ts";

/**
 * Whether the viewer may delete every message that they can read in this channel. Without a channel: every
 * direct message that they can read.
 */
export function canDeleteAny({ state, user }: Viewer, channel: Channel | undefined): boolean {
  return (
    canDo(state, organizationPermissions.canDeleteAnyMessage, user) ||
    (channel !== undefined && canDoInChannel(state, user, channel, channelPermissions.canDeleteAnyMessage))
  );
}

/** Throws when the viewer can read a message but may not delete it, or may no longer delete it. */
export function checkDeletion(viewer: Viewer, message: FetchedRow): void {
  const { state, user } = viewer;
  const channel = message.userIds ? undefined : state.get(channels).find(message.recipientId);
  if (canDeleteAny(viewer, channel)) return;
  const canDeleteOwn =
    canDo(state, organizationPermissions.canDeleteOwnMessage, user) ||
    (channel !== undefined && canDoInChannel(state, user, channel, channelPermissions.canDeleteOwnMessage));
  if (!isOwn(viewer, message.senderId) || !canDeleteOwn) throw new ApiError(errors.deletingNotAllowed);
  const limit = settingOf(state, organizationSettings.messageContentDeleteLimitSeconds);
  if (limit !== null && Date.now() - message.sentAt.getTime() > limit * 1000) {
    throw new ApiError(errors.deletingTooLate);
  }
}

/** A message from a user's own bot counts as the user's own. */
function isOwn({ state, user }: Viewer, senderId: UserId): boolean {
  if (senderId === user.id) return true;
  const sender = state.get(users).byId.get(senderId);
  return sender !== undefined && sender.botType !== null && sender.botOwnerId === user.id;
}
