import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { channelPermissions } from "../../../api/channels/channel-permissions.ts";
import { isTopicResolution } from "../../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { Channel } from "../../channels/channel.ts";
import { canDoInChannel } from "../../channels/permissions.ts";
import { canDo } from "../../groups/group-setting.ts";
import { settingOf } from "../../organization/setting.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { FetchedRow } from "../model/message.ts";
import { hasFlag, messageFacts } from "../model/message.ts";

/** An author who began to edit before the limit may still finish. */
const GRACE_SECONDS = 20;

/** Throws unless the viewer wrote the text and the organization still lets them change it. */
export function checkEdit(
  { state, user }: Viewer,
  message: Pick<FetchedRow, "senderId" | "sentAt" | "facts">,
): void {
  if (message.senderId !== user.id) throw new ApiError(errors.editingNotAllowed);
  if (!settingOf(state, organizationSettings.allowMessageEditing)) throw new ApiError(errors.editingDisabled);
  const limit = settingOf(state, organizationSettings.messageContentEditLimitSeconds);
  if (isPast(message.sentAt, limit)) throw new ApiError(errors.editingTooLate);
  if (hasFlag(message.facts, messageFacts.isWidget)) throw new ApiError(errors.widgetNotEditable);
}

export interface Place {
  channel: Channel;
  topic: string;
}

/**
 * Throws unless the viewer may move messages between these places. Permission to post in the new place is
 * checked elsewhere.
 */
export function checkMove(viewer: Viewer, from: Place, to: Place): void {
  if (from.channel.id !== to.channel.id && !canMoveOut(viewer, from.channel)) {
    throw new ApiError(errors.movingNotAllowed);
  }
  if (from.topic === to.topic || canMoveWithin(viewer, from.channel)) return;
  if (!isTopicResolution(from.topic, to.topic)) throw new ApiError(errors.movingNotAllowed);
  if (!canResolve(viewer, from.channel)) throw new ApiError(errors.resolvingNotAllowed);
}

/** The maximum age, in seconds, of messages that the viewer may move this way; null: any age. */
export function moveLimit({ state, user }: Viewer, from: Place, to: Place): number | null {
  if (user.role <= roles.moderator) return null;
  const limits: (number | null)[] = [];
  if (from.channel.id !== to.channel.id) {
    limits.push(settingOf(state, organizationSettings.moveMessagesBetweenStreamsLimitSeconds));
  }
  if (from.topic !== to.topic && !isTopicResolution(from.topic, to.topic)) {
    limits.push(settingOf(state, organizationSettings.moveMessagesWithinStreamLimitSeconds));
  }
  const given = limits.filter((limit) => limit !== null);
  return given.length > 0 ? Math.min(...given) : null;
}

export function isPast(sentAt: Date, limitSeconds: number | null): boolean {
  return limitSeconds !== null && Date.now() - sentAt.getTime() > (limitSeconds + GRACE_SECONDS) * 1000;
}

function canMoveOut({ state, user }: Viewer, channel: Channel): boolean {
  return (
    canDo(state, organizationPermissions.canMoveMessagesBetweenChannels, user) ||
    canDoInChannel(state, user, channel, channelPermissions.canMoveMessagesOutOfChannel)
  );
}

function canMoveWithin({ state, user }: Viewer, channel: Channel): boolean {
  return (
    canDo(state, organizationPermissions.canMoveMessagesBetweenTopics, user) ||
    canDoInChannel(state, user, channel, channelPermissions.canMoveMessagesWithinChannel)
  );
}

function canResolve({ state, user }: Viewer, channel: Channel): boolean {
  return (
    canDo(state, organizationPermissions.canResolveTopics, user) ||
    canDoInChannel(state, user, channel, channelPermissions.canResolveTopics)
  );
}
