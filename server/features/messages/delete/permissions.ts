import { channelPermissions } from "../../../../api/channel-permissions.ts";
import { ApiError, errors } from "../../../../api/errors.ts";
import type { UserId } from "../../../../api/ids.ts";
import { organizationPermissions } from "../../../../api/organization-permissions.ts";
import { organizationSettings } from "../../../../api/organization-settings.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { canDoInChannel } from "../../channels/permissions.ts";
import { canDo } from "../../groups/group-setting.ts";
import { settingOf } from "../../organization/setting.ts";
import { users } from "../../users/user.ts";
import type { Viewer } from "../../users/viewer.ts";
import type { FetchedRow } from "../query/fetch.ts";

/** Whether the viewer may delete whatever they can read, in this channel or, without one, among direct messages. */
export function canDeleteAny({ state, user }: Viewer, channel: Channel | undefined): boolean {
  return (
    canDo(state, organizationPermissions.canDeleteAnyMessage, user) ||
    (channel !== undefined && canDoInChannel(state, user, channel, channelPermissions.canDeleteAnyMessage))
  );
}

/** Refuses the deletion of a message that the viewer can read but may not delete, or no longer. */
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

/** What one's bot wrote is one's own. */
function isOwn({ state, user }: Viewer, senderId: UserId): boolean {
  if (senderId === user.id) return true;
  const sender = state.get(users).byId.get(senderId);
  return sender !== undefined && sender.botType !== null && sender.botOwnerId === user.id;
}
