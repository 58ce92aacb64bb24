/**
 * The channel that receives reports of messages. A report quotes messages that few people may read, so the
 * channel must be private.
 */

import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../api/errors.ts";
import type { ChannelId } from "../../api/ids.ts";
import { settingOf } from "../organization/setting.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Channel, channels } from "./channel.ts";

type Privacy = Pick<Channel, "isPrivate" | "isWebPublic">;

/** The channel for reports, if it can take one now. */
export function moderationChannelOf(state: OrganizationState): Channel | undefined {
  const channel = state.get(channels).byId.get(moderationChannelId(state));
  return channel?.isPrivate && !channel.isArchived ? channel : undefined;
}

/** Throws for a channel that can't become the channel for reports. */
export function checkModerationChannel(channel: Privacy): void {
  if (!channel.isPrivate) throw new ApiError(errors.moderationChannelNotPrivate);
}

/** Throws if the change opens the channel for reports to more people. */
export function checkModerationChannelStaysPrivate(
  state: OrganizationState,
  before: Channel,
  after: Privacy,
): void {
  if (before.id !== moderationChannelId(state)) return;
  const isOpened = (before.isPrivate && !after.isPrivate) || (!before.isWebPublic && after.isWebPublic);
  if (isOpened) checkModerationChannel(after);
}

function moderationChannelId(state: OrganizationState): ChannelId {
  return settingOf(state, organizationSettings.moderationRequestChannelId) as ChannelId;
}
