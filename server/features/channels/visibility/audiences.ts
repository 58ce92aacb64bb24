/**
 * Who hears of a channel's existence and properties, and of its subscribers coming and going. Live it is decided by the
 * memory at the entry's place. A queue that is read again from the log gets an entry only if its user could know of the
 * channel then and still may now; what can't be told of the past any more, such as a role, is taken as now.
 */

import type { ChannelId, Position, UserId } from "../../../../api/ids.ts";
import { roles } from "../../../../api/roles.ts";
import type { Audience } from "../../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { queuesOf } from "../../../platform/queues/organization-queues.ts";
import type { Queue } from "../../../platform/queues/queue.ts";
import type { AudienceRule } from "../../../platform/queues/queue-parts.ts";
import { users } from "../../users/user.ts";
import { canSeeChannel } from "../access.ts";
import { channels } from "../channel.ts";
import { subscribedAt } from "../subscriptions/subscribers.ts";
import { findPastPrivacy } from "./past-privacy.ts";

/**
 * Which clients hear an event about channels. To those without the `archived_channels` capability an archived channel does
 * not exist (spec E20), so by default they hear nothing of it; when one comes or goes, the two kinds are told apart.
 */
export type Clients = "with-archived" | "without-archived";

/** Everyone who may know of the channel. */
export function toThoseWhoSee(channelId: ChannelId, clients?: Clients): Audience {
  return { to: "channel_visible", channelId, ...(clients && { clients }) };
}

/**
 * These people, also if they only get to know of the channels by this. Those who read it later get it only if they still
 * may know of one of them.
 */
export function toThesePeople(
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
  clients?: Clients,
): Audience {
  return { to: "channel_people", channelIds, userIds, ...(clients && { clients }) };
}

/** Everyone who may know of any of the channels, except the people that `payload.user_ids` names. */
export function toPeers(channelIds: readonly ChannelId[], clients?: Clients): Audience {
  return { to: "channel_peers", channelIds, ...(clients && { clients }) };
}

/** Everyone but guests. */
export const toNonGuests: Audience = { to: "non_guests" };

const channelVisible: AudienceRule = {
  to: "channel_visible",
  *queues(state, { audience }) {
    const sees = sightOf(state, audience);
    for (const queue of queuesOf(state).byId.values())
      if (sees(queue, audience.channelId as ChannelId)) yield queue;
  },
  async reader(state, tx, queue) {
    const could = await pastSight(state, tx, queue);
    return ({ audience, position }) => {
      const channelId = audience.channelId as ChannelId;
      return sightOf(state, audience)(queue, channelId) && could(channelId, position);
    };
  },
};

const channelPeople: AudienceRule = {
  to: "channel_people",
  *queues(state, { audience }) {
    // Their sight may begin after this, so only their clients are asked.
    const isFor = clientsOf(state, audience);
    const channelIds = audience.channelIds as ChannelId[];
    for (const userId of audience.userIds as UserId[]) {
      for (const queue of queuesOf(state).ofUser(userId)) {
        if (channelIds.some((channelId) => isFor(queue, channelId))) yield queue;
      }
    }
  },
  reader:
    async (state, _tx, queue) =>
    ({ audience }) =>
      (audience.userIds as UserId[]).includes(queue.userId) &&
      (audience.channelIds as ChannelId[]).some((channelId) => sightOf(state, audience)(queue, channelId)),
};

const channelPeers: AudienceRule = {
  to: "channel_peers",
  *queues(state, { audience, payload }) {
    const channelIds = audience.channelIds as ChannelId[];
    const concerned = new Set(payload.user_ids as number[]);
    const sees = sightOf(state, audience);
    for (const queue of queuesOf(state).byId.values()) {
      if (concerned.has(queue.userId)) continue;
      if (channelIds.some((channelId) => sees(queue, channelId))) yield queue;
    }
  },
  async reader(state, tx, queue) {
    const could = await pastSight(state, tx, queue);
    return ({ audience, payload, position }) =>
      !(payload.user_ids as number[]).includes(queue.userId) &&
      (audience.channelIds as ChannelId[]).some(
        (channelId) => sightOf(state, audience)(queue, channelId) && could(channelId, position),
      );
  },
};

const nonGuests: AudienceRule = {
  to: "non_guests",
  *queues(state) {
    for (const queue of queuesOf(state).byId.values()) if (isNonGuest(state, queue)) yield queue;
  },
  reader: async (state, _tx, queue) => () => isNonGuest(state, queue),
};

export const visibilityAudiences: readonly AudienceRule[] = [
  channelVisible,
  channelPeople,
  channelPeers,
  nonGuests,
];

/** Whether the queue's user may know of the channel now, and its client too. */
export function canSee(state: OrganizationState, queue: Queue, channelId: ChannelId): boolean {
  return isUserInSight(state, queue, channelId) && knowsOf(state, queue, channelId);
}

type Test = (queue: Queue, channelId: ChannelId) => boolean;

/** Who the audience means, of those who may know of a channel. */
function sightOf(state: OrganizationState, audience: Audience): Test {
  const isFor = clientsOf(state, audience);
  return (queue, channelId) => isFor(queue, channelId) && isUserInSight(state, queue, channelId);
}

function clientsOf(state: OrganizationState, audience: Audience): Test {
  const clients = audience.clients as Clients | undefined;
  if (!clients) return (queue, channelId) => knowsOf(state, queue, channelId);
  return (queue) => queue.can("archived_channels") === (clients === "with-archived");
}

/** A channel that this transaction makes is not in memory yet, and not archived. */
function knowsOf(state: OrganizationState, queue: Queue, channelId: ChannelId): boolean {
  return queue.can("archived_channels") || state.get(channels).byId.get(channelId)?.isArchived !== true;
}

function isUserInSight(state: OrganizationState, queue: Queue, channelId: ChannelId): boolean {
  const user = state.get(users).byId.get(queue.userId);
  const channel = state.get(channels).byId.get(channelId);
  return user !== undefined && channel !== undefined && canSeeChannel(state, user, channel);
}

/** Whether the queue's user could know of a channel at a position: by subscription, or by what the channel was and they are. */
async function pastSight(state: OrganizationState, tx: Parameters<AudienceRule["reader"]>[1], queue: Queue) {
  const wasSubscribed = await subscribedAt(state, tx, queue.userId);
  const channelAt = await findPastPrivacy(state, tx, queue.cursor);
  return (channelId: ChannelId, position: Position): boolean => {
    if (wasSubscribed(channelId, position)) return true;
    const user = state.get(users).byId.get(queue.userId);
    const channel = channelAt(channelId, position);
    return (
      user !== undefined &&
      channel !== undefined &&
      canSeeChannel(state, user, channel, { asSubscriber: false })
    );
  };
}

function isNonGuest(state: OrganizationState, queue: Queue): boolean {
  const user = state.get(users).byId.get(queue.userId);
  return user !== undefined && user.role < roles.guest;
}
