import { organizationPermissions } from "../../api/administration/organization-permissions.ts";
import { type ChannelPermission, channelPermissions } from "../../api/channels/channel-permissions.ts";
import { ApiError, errors } from "../../api/errors.ts";
import type { ChannelId, UserId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import { canDo } from "../groups/group-setting.ts";
import { type User, users } from "../people/user.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Channel, channels } from "./channel.ts";
import { canDoInChannel } from "./permissions.ts";
import { subscribers } from "./subscriptions/subscribers.ts";

/** Permissions whose groups may know of a private channel; the first two may also read it and join. */
const entryPermissions = [channelPermissions.canAddSubscribers, channelPermissions.canSubscribe];
export const visibilityPermissions = [...entryPermissions, channelPermissions.canAdministerChannel];

/**
 * Whether the user may know that the channel exists and who is subscribed to it. With `asSubscriber: false`,
 * the user's own subscription does not count. That decides whether they may still know of the channel when
 * the subscription ends.
 */
export function canSeeChannel(
  state: OrganizationState,
  user: User,
  channel: Channel,
  { asSubscriber = true } = {},
): boolean {
  if (asSubscriber && state.get(subscribers).has(channel.id, user.id)) return true;
  if (isSeenByAll(channel, user)) return true;
  if (user.role >= roles.guest) return false;
  return user.role <= roles.administrator || isNamedBy(state, user, channel, visibilityPermissions);
}

/**
 * Whether everybody like this reader may know of the channel and read it: all but guests, all guests, or all
 * without an account. Access of others is decided for each reader.
 */
export function isSeenByAll(channel: Channel, reader: Pick<User, "role"> | undefined): boolean {
  return channel.isWebPublic || (reader !== undefined && reader.role < roles.guest && !channel.isPrivate);
}

/** Whether the user may read what is said in the channel now. */
export function canReadChannel(state: OrganizationState, user: User, channel: Channel): boolean {
  return (
    state.get(subscribers).has(channel.id, user.id) ||
    isSeenByAll(channel, user) ||
    isOpenTo(state, user, channel)
  );
}

/** Whether the user may read messages from before they were subscribed. */
export function canReadHistory(state: OrganizationState, user: User, channel: Channel): boolean {
  return channel.isHistoryShared && canReadChannel(state, user, channel);
}

/**
 * Whether the user may subscribe themselves, or is subscribed. An archived channel can also be joined and
 * left.
 */
export function canSubscribe(state: OrganizationState, user: User, channel: Channel): boolean {
  return canReadChannel(state, user, channel);
}

/** Whether the user may subscribe others to an existing channel (spec E2). */
export function canAddSubscribers(state: OrganizationState, user: User, channel: Channel): boolean {
  return canSubscribe(state, user, channel) && canAddOthers(state, user, channel);
}

/**
 * Whether the user may subscribe others by the rules of the organization or of the channel;
 * administrators always may. It does not check whether the user can read the channel: its maker need not
 * be a subscriber.
 */
export function canAddOthers(state: OrganizationState, user: User, channel: Channel): boolean {
  if (user.role >= roles.guest) return false;
  return (
    user.role <= roles.administrator ||
    canDo(state, organizationPermissions.canAddSubscribers, user) ||
    canDoInChannel(state, user, channel, channelPermissions.canAddSubscribers) ||
    canAdministerChannel(state, user, channel)
  );
}

/** Whether the user may unsubscribe this other person or bot. */
export function canRemoveSubscriber(
  state: OrganizationState,
  user: User,
  channel: Channel,
  target: User,
): boolean {
  if (target.botOwnerId === user.id && target.botType !== null) return true;
  if (user.role <= roles.administrator) return true;
  return (
    user.role < roles.guest &&
    canSeeChannel(state, user, channel) &&
    (canDoInChannel(state, user, channel, channelPermissions.canRemoveSubscribers) ||
      canAdministerChannel(state, user, channel))
  );
}

/** Whether the channel's own administrators count the user among them. */
export function canAdministerChannel(state: OrganizationState, user: User, channel: Channel): boolean {
  return isNamedBy(state, user, channel, [channelPermissions.canAdministerChannel]);
}

/**
 * The channel with this id, if the viewer may know of it. Otherwise throws "Invalid channel ID", as for a
 * channel that does not exist.
 */
export function accessChannel(viewer: Viewer, id: number): Channel {
  const channel = viewer.state.get(channels).find(id);
  if (!channel || !canSeeChannel(viewer.state, viewer.user, channel))
    throw new ApiError(errors.invalidChannelId);
  return channel;
}

/** The channel with this id, if the viewer may read its messages. Throws as `accessChannel` does. */
export function accessReadableChannel(viewer: Viewer, id: number): Channel {
  const channel = accessChannel(viewer, id);
  if (!canReadChannel(viewer.state, viewer.user, channel)) throw new ApiError(errors.invalidChannelId);
  return channel;
}

/** Whether a user can read a channel that they may not know of. */
export function canReadChannelById(state: OrganizationState, channelId: ChannelId, userId: UserId): boolean {
  const user = state.get(users).byId.get(userId);
  const channel = state.get(channels).byId.get(channelId);
  return user !== undefined && channel !== undefined && canReadChannel(state, user, channel);
}

/**
 * A channel that the viewer may know of and may change, as an administrator of the organization or of the
 * channel.
 */
export function accessChannelToChange(viewer: Viewer, id: number): Channel {
  const { state, user } = viewer;
  const channel = accessChannel(viewer, id);
  if (user.role > roles.administrator && !canAdministerChannel(state, user, channel)) {
    throw new ApiError(errors.cannotAdministerChannel);
  }
  return channel;
}

/** The channel of this name, if the viewer may know of it. */
export function accessChannelByName(viewer: Viewer, name: string): Channel {
  const channel = viewer.state.get(channels).findByName(name.trim());
  if (!channel || !canSeeChannel(viewer.state, viewer.user, channel)) {
    throw new ApiError(errors.noChannelOfThatName, { name });
  }
  return channel;
}

/**
 * The channels of these names, each once, if the viewer may know of all of them. The error names all
 * missing channels.
 */
export function accessChannelsByName(viewer: Viewer, names: readonly string[]): Channel[] {
  const { state, user } = viewer;
  const found = new Set<Channel>();
  const missing: string[] = [];
  for (const name of names) {
    const channel = state.get(channels).findByName(name.trim());
    if (channel && canSeeChannel(state, user, channel)) found.add(channel);
    else missing.push(name);
  }
  if (missing.length > 0) throw new ApiError(errors.channelsDoNotExist, { names: missing.join(", ") });
  return [...found];
}

/**
 * The channel that a message is addressed to, if the viewer may post there (spec E1). COMPAT: a bot may
 * post where its owner may.
 */
export function accessChannelForSending(viewer: Viewer, to: { id: number } | { name: string }): Channel {
  const { state, user } = viewer;
  const all = state.get(channels);
  const channel = "id" in to ? all.find(to.id) : all.findNamed(to.name);
  if (!channel) {
    throw "id" in to
      ? new ApiError(errors.channelIdDoesNotExist, { stream_id: to.id })
      : new ApiError(errors.channelDoesNotExist, { stream: to.name });
  }
  const owner = user.botOwnerId === null ? undefined : state.get(users).byId.get(user.botOwnerId);
  const senders = owner ? [user, owner] : [user];
  // Where history is not shared, a sender who is not subscribed could not even read the answer.
  const mayEnter =
    senders.some(({ id }) => state.get(subscribers).has(channel.id, id)) ||
    (channel.isHistoryShared && isOpenTo(state, user, channel));
  if (channel.isArchived || !mayEnter) {
    // For a sender who may not know of the channel, the error holds only what the request said of it.
    const given = "id" in to ? String(to.id) : to.name;
    const name = canSeeChannel(state, user, channel) ? channel.name : given;
    throw new ApiError(errors.notAuthorizedToSend, { name });
  }
  if (!senders.some((sender) => canDoInChannel(state, sender, channel, channelPermissions.canSendMessage))) {
    throw new ApiError(errors.postingDenied);
  }
  return channel;
}

/**
 * The account that mail may be posted as for the viewer: their own, one of their bots, or the
 * notification bot.
 */
export function accessMailSender({ state, user }: Viewer, id: number): User {
  const sender = state.get(users).find(id);
  const isTheirs = sender?.id === user.id || sender?.botOwnerId === user.id || sender?.isSystem;
  if (!sender?.isActive || !isTheirs) throw new ApiError(errors.noSuchUser);
  return sender;
}

/** Whether a user who is not subscribed may join and read the channel. */
function isOpenTo(state: OrganizationState, user: User, channel: Channel): boolean {
  if (user.role >= roles.guest) return false;
  return !channel.isPrivate || isNamedBy(state, user, channel, entryPermissions);
}

/** COMPAT: groups give guests no access here: guests see a channel only when subscribed. */
function isNamedBy(
  state: OrganizationState,
  user: User,
  channel: Channel,
  permissions: readonly ChannelPermission[],
): boolean {
  if (user.role >= roles.guest) return false;
  return permissions.some((permission) => canDoInChannel(state, user, channel, permission));
}
