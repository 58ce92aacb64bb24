/**
 * What the viewer may do with channels, as the server will decide it. If the server refuses something all the
 * same, because somebody was quicker, it says why.
 */
import { organizationSettings } from "../api/administration/organization-settings.ts";
import { canReadChannel, isNamed } from "./channel-reading.ts";
import type { Channel } from "./model/channels.ts";
import type { Model } from "./model/model.ts";
import { isAdministrator, isGuest, may } from "./permissions.ts";

/** Whom a channel is open to, and what new subscribers see of what was said before. */
export type Privacy = "webPublic" | "public" | "private" | "privateHidden";

/** Guests can't join by themselves: somebody has to add them. */
export function canJoin(model: Model, channel: Channel): boolean {
  return !isGuest(model) && canReadChannel(model, channel);
}

export function canAdministerChannel(model: Model, channel: Channel): boolean {
  return isAdministrator(model) || isNamed(model, channel.canAdministerChannelGroup);
}

/** People can change the access to a private channel only if they can read it. */
export function canChangePermissions(model: Model, channel: Channel): boolean {
  return canAdministerChannel(model, channel) && (!channel.isPrivate || canReadChannel(model, channel));
}

export function canChangePermission(model: Model, channel: Channel, name: string): boolean {
  const isOfDeletion = name === "can_delete_any_message_group" || name === "can_delete_own_message_group";
  return (
    canChangePermissions(model, channel) &&
    (!isOfDeletion || may(model, "can_set_delete_message_policy_group"))
  );
}

export function canSetTopicsPolicy(model: Model): boolean {
  return may(model, "can_set_topics_policy_group");
}

export function canAddSubscribers(model: Model, channel: Channel): boolean {
  return (
    canJoin(model, channel) &&
    (may(model, "can_add_subscribers_group") ||
      isNamed(model, channel.canAddSubscribersGroup) ||
      canAdministerChannel(model, channel))
  );
}

/** The viewer's own bots can always be taken out. */
export function canRemoveSubscriber(model: Model, channel: Channel, userId: number): boolean {
  return (
    userId === model.viewer.id ||
    model.users.get(userId)?.botOwnerId === model.viewer.id ||
    canAdministerChannel(model, channel) ||
    isNamed(model, channel.canRemoveSubscribersGroup)
  );
}

/** The kinds of channels that the viewer may create, the most open first. */
export function creatablePrivacies(model: Model): Privacy[] {
  const isWebPublic = model.constants.server_web_public_streams_enabled === true;
  const hasSpectators = model.organization.get(organizationSettings.enableSpectatorAccess);
  return [
    ...(isWebPublic && hasSpectators && may(model, "can_create_web_public_channel_group")
      ? (["webPublic"] as const)
      : []),
    ...(may(model, "can_create_public_channel_group") ? (["public"] as const) : []),
    ...(may(model, "can_create_private_channel_group") ? (["private", "privateHidden"] as const) : []),
  ];
}

export function privacyOf(channel: Channel): Privacy {
  if (channel.isWebPublic) return "webPublic";
  if (!channel.isPrivate) return "public";
  return channel.isHistoryShared ? "private" : "privateHidden";
}
