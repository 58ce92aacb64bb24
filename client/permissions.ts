/**
 * What the viewer may do with messages and topics, as the server will decide it. A client offers nothing that
 * the server refuses. Times are in UNIX seconds.
 */
import { organizationSettings } from "../api/administration/organization-settings.ts";
import { roles } from "../api/roles.ts";
import type { Channel } from "./model/channels.ts";
import type { Message } from "./model/messages.ts";
import type { Model } from "./model/model.ts";
import type { Conversation } from "./narrow.ts";

/** Those of the organization's permissions that can be given to everyone. */
const forGuestsToo: ReadonlySet<string> = new Set([
  "can_delete_own_message_group",
  "can_mention_many_users_group",
  "can_move_messages_between_topics_group",
  "can_resolve_topics_group",
  "can_set_topics_policy_group",
]);

/** The most people whom everybody may mention together. */
const FEW = 15;
/** What a move needs to know of a message. */
type Moved = Pick<Message, "to" | "sentAt">;

const seconds = (model: Model) => model.now() / 1000;

/** Widgets can't be edited. */
export function canEditText(model: Model, message: Message, now = seconds(model)): boolean {
  const { organization, viewer } = model;
  return (
    message.senderId === viewer.id &&
    message.submessages.length === 0 &&
    organization.get(organizationSettings.allowMessageEditing) &&
    isWithin(message, organization.get(organizationSettings.messageContentEditLimitSeconds), now)
  );
}

export function canDelete(model: Model, message: Message, now = seconds(model)): boolean {
  const channel = channelOf(model, message);
  if (may(model, "can_delete_any_message_group", channel?.canDeleteAnyMessageGroup)) return true;
  const limit = model.organization.get(organizationSettings.messageContentDeleteLimitSeconds);
  return (
    isOwn(model, message.senderId) &&
    may(model, "can_delete_own_message_group", channel?.canDeleteOwnMessageGroup) &&
    isWithin(message, limit, now)
  );
}

/** To another topic of its channel. */
export function canMoveTopic(model: Model, message: Moved, now = seconds(model)): boolean {
  const channel = channelOf(model, message);
  if (!channel || channel.isArchived) return false;
  const limit = model.organization.get(organizationSettings.moveMessagesWithinStreamLimitSeconds);
  return (
    may(model, "can_move_messages_between_topics_group", channel.canMoveMessagesWithinChannelGroup) &&
    (isModerator(model) || isWithin(message, limit, now))
  );
}

/** To another channel. */
export function canMoveChannel(model: Model, message: Moved, now = seconds(model)): boolean {
  const channel = channelOf(model, message);
  if (!channel || channel.isArchived) return false;
  const limit = model.organization.get(organizationSettings.moveMessagesBetweenStreamsLimitSeconds);
  return (
    may(model, "can_move_messages_between_channels_group", channel.canMoveMessagesOutOfChannelGroup) &&
    (isModerator(model) || isWithin(message, limit, now))
  );
}

export function canResolve(model: Model, channelId: number): boolean {
  const channel = model.channels.get(channelId);
  if (!channel || channel.isArchived) return false;
  return (
    may(model, "can_resolve_topics_group", channel.canResolveTopicsGroup) ||
    may(model, "can_move_messages_between_topics_group", channel.canMoveMessagesWithinChannelGroup)
  );
}

/** A mention of everyone in a channel with many people needs a permission. */
export function canMentionAll(model: Model, channelId: number): boolean {
  const subscribers = model.channels.get(channelId)?.subscriberCount ?? 0;
  return subscribers <= FEW || may(model, "can_mention_many_users_group");
}

/** Whether the viewer has a permission of the organization, by its name on the wire. */
export function hasPermission(model: Model, name: string): boolean {
  return may(model, name, undefined);
}

/** Which bots the viewer may create: of all kinds, those that can only send, or none. */
export function creatableBots(model: Model): "all" | "senders" | "none" {
  if (may(model, "can_create_bots_group", undefined)) return "all";
  return may(model, "can_create_write_only_bots_group", undefined) ? "senders" : "none";
}

/** Whether the message has a history that the organization shows. */
export function canSeeHistory(model: Model, { editedAt, movedAt }: Message): boolean {
  const policy = model.organization.get(organizationSettings.messageEditHistoryVisibilityPolicy);
  return movedAt !== undefined ? policy !== "none" : editedAt !== undefined && policy === "all";
}

/** Why the viewer can't write there; undefined: nothing that is known forbids it. */
export function whyNotPost(
  model: Model,
  place: Conversation,
): "archived" | "channel" | "deactivated" | "direct" | "gone" | undefined {
  const { channels, groups, organization, users, viewer } = model;
  if (place.kind === "channel") {
    const channel = channels.get(place.channelId);
    // No channel has the id 0, which stands for one that is still to be chosen.
    if (!channel) return place.channelId === 0 ? undefined : "gone";
    if (channel.isArchived) return "archived";
    return groups.includes(channel.canSendMessageGroup, viewer.id) ? undefined : "channel";
  }
  const people = place.userIds.flatMap((id) => users.get(id) ?? []);
  if (people.some(({ isActive }) => !isActive)) return "deactivated";
  if (people.every(({ id, isBot }) => isBot || id === viewer.id)) return undefined;
  const allowed = organization.permission({ name: "direct_message_permission_group" });
  const isAllowed =
    allowed === undefined || [viewer, ...people].some(({ id }) => groups.includes(allowed, id));
  return isAllowed ? undefined : "direct";
}

/** Others, to a channel that the viewer is in. */
export function canSubscribeOthers(model: Model, channelId: number): boolean {
  const channel = model.channels.get(channelId);
  if (!channel || channel.isArchived || !model.subscriptions.isSubscribed(channelId)) return false;
  return may(model, "can_add_subscribers_group", channel.canAddSubscribersGroup);
}

export function canSeeReceipts({ organization }: Model): boolean {
  return organization.get(organizationSettings.enableReadReceipts);
}

/** Reports need a channel that receives them. */
export function canReport({ organization, viewer }: Model, { senderId }: Message): boolean {
  return organization.get(organizationSettings.moderationRequestChannelId) > 0 && senderId !== viewer.id;
}

/**
 * By the organization's permission or by the channel's. Guests have the organization's only if that can be
 * given to everyone.
 */
export function may(model: Model, name: string, ofChannel?: Channel["canResolveTopicsGroup"]): boolean {
  const { organization, groups, viewer } = model;
  const ofOrganization = organization.permission({ name });
  const isAllowed =
    ofOrganization !== undefined &&
    (!isGuest(model) || forGuestsToo.has(name)) &&
    groups.includes(ofOrganization, viewer.id);
  return isAllowed || (ofChannel !== undefined && groups.includes(ofChannel, viewer.id));
}

function channelOf({ channels }: Model, { to }: Moved): Channel | undefined {
  return to.kind === "channel" ? channels.get(to.channelId) : undefined;
}

function isModerator(model: Model): boolean {
  return roleOf(model) <= roles.moderator;
}

export function isAdministrator(model: Model): boolean {
  return roleOf(model) <= roles.administrator;
}

export function isOwner(model: Model): boolean {
  return roleOf(model) <= roles.owner;
}

export function isGuest(model: Model): boolean {
  return roleOf(model) >= roles.guest;
}

function roleOf({ users, viewer }: Model): number {
  return users.get(viewer.id)?.role ?? roles.guest;
}

/** A message of the viewer's own bot counts as the viewer's. */
function isOwn({ users, viewer }: Model, senderId: number): boolean {
  return senderId === viewer.id || users.get(senderId)?.botOwnerId === viewer.id;
}

function isWithin({ sentAt }: Moved, limitSeconds: number | null, now: number): boolean {
  return limitSeconds === null || now - sentAt <= limitSeconds;
}
