/**
 * The channels to which a notice of the service may link. A notice quotes what people wrote, such as the
 * description of a channel. Nobody may learn from it of a channel that they could not link themselves.
 */
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { type User, users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

type Place = { channel: Channel } | { userIds: readonly UserId[] };

/**
 * Whether the notice may link a channel: the actor and all of its readers may know of it. A newcomer is a
 * person whom the current transaction adds.
 */
export function noticeLinks(
  state: OrganizationState,
  actor: User | undefined,
  to: Place,
  newcomer?: User,
): (channel: Channel) => boolean {
  const canReadersKnow = "channel" in to ? knownIn(state, to.channel) : knownTo(state, to.userIds, newcomer);
  return (channel) =>
    (actor === undefined || canSeeChannel(state, actor, channel)) && canReadersKnow(channel);
}

function knownTo(
  state: OrganizationState,
  userIds: readonly UserId[],
  newcomer: User | undefined,
): (channel: Channel) => boolean {
  const { byId } = state.get(users);
  const readers = userIds.flatMap((id) => (id === newcomer?.id ? newcomer : (byId.get(id) ?? [])));
  return (channel) => readers.every((reader) => canSeeChannel(state, reader, channel));
}

/** Others may join later, so a private channel is known in no other channel. */
function knownIn(state: OrganizationState, where: Channel): (channel: Channel) => boolean {
  let isForMembers: boolean | undefined;
  return (channel) => {
    if (channel.id === where.id || channel.isWebPublic) return true;
    if (channel.isPrivate || where.isWebPublic) return false;
    isForMembers ??= hasOnlyMembers(state, where);
    return isForMembers;
  };
}

/** The first subscribers of a new channel are not in memory yet, so there may be guests among them. */
function hasOnlyMembers(state: OrganizationState, { id }: Channel): boolean {
  if (!state.get(channels).byId.has(id)) return false;
  const { byId } = state.get(users);
  for (const userId of state.get(subscribers).of(id)) {
    const user = byId.get(userId);
    if (user?.isActive && user.role >= roles.guest) return false;
  }
  return true;
}
