import { roles } from "../../api/roles.ts";
import type { User } from "../people/user.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { canReadChannel, canSeeChannel } from "./access.ts";
import { type Channel, channels } from "./channel.ts";
import { subscribers } from "./subscriptions/subscribers.ts";

/** The channels to list: each channel that any of the filters includes. */
export interface ChannelFilter {
  isPublic: boolean;
  isWebPublic: boolean;
  isSubscribed: boolean;
  isReadable: boolean;
  isSubscribedByOwner: boolean;
  isAny: boolean;
  /** Archived channels too. */
  isArchived: boolean;
}

/**
 * The channels that the filter includes and that the viewer, or a bot's owner, may know of. Sorted by
 * name.
 */
export function listChannelsFor({ state, user }: Viewer, filter: ChannelFilter): Channel[] {
  return [...state.get(channels).all()]
    .filter((channel) => filter.isArchived || !channel.isArchived)
    .filter(
      (channel) =>
        (isIncluded(state, user, channel, filter) && canSeeChannel(state, user, channel)) ||
        (filter.isSubscribedByOwner && isSubscribedByOwner(state, user, channel)),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isIncluded(state: OrganizationState, user: User, channel: Channel, filter: ChannelFilter): boolean {
  const subscribed = state.get(subscribers);
  return (
    filter.isAny ||
    (filter.isPublic && user.role < roles.guest && !channel.isPrivate) ||
    (filter.isWebPublic && channel.isWebPublic) ||
    (filter.isSubscribed && subscribed.has(channel.id, user.id)) ||
    (filter.isReadable && canReadChannel(state, user, channel))
  );
}

/** COMPAT: a bot may list what its owner sees without being subscribed. It gets no events on them. */
function isSubscribedByOwner(state: OrganizationState, { botOwnerId }: User, channel: Channel): boolean {
  return botOwnerId !== null && state.get(subscribers).has(channel.id, botOwnerId);
}
