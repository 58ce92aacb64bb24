/**
 * Who gets events on a channel's existence and properties, and on its subscribers. Live, the memory at
 * the entry's position decides. A queue that is replayed from the log gets an entry only if its user
 * could know of the channel then (see `pastVisibility`) and still may now.
 */

import type { ChannelId, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { users } from "../../people/user.ts";
import type { Audience } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import type { AudienceRule } from "../../platform/queues/queue-parts.ts";
import { channels } from "../channel.ts";
import { isVisibleToUser, pastVisibility } from "./past-visibility.ts";

/**
 * Which clients get an event about channels. For clients without `archived_channels` an archived channel
 * does not exist (spec E20), so by default they get nothing about it. When a channel is archived or
 * unarchived, the two kinds of clients get different events.
 */
export type Clients = "with-archived" | "without-archived";

/** Everyone who may know of the channel. */
export function toThoseWhoSee(channelId: ChannelId, clients?: Clients): Audience {
  return { to: "channel_visible", channelId, ...(clients && { clients }) };
}

/**
 * These people, even if they learn of the channels only from this event. In a replay they get it only if
 * they still may know of one of the channels.
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
    const sees = visibilityTest(state, audience);
    for (const queue of queuesOf(state).byId.values())
      if (sees(queue, audience.channelId as ChannelId)) yield queue;
  },
  async reader(state, tx, queue) {
    const could = await pastVisibility(state, tx, queue);
    return ({ audience, position }) => {
      const channelId = audience.channelId as ChannelId;
      return visibilityTest(state, audience)(queue, channelId) && could(channelId, position);
    };
  },
};

const channelPeople: AudienceRule = {
  to: "channel_people",
  *queues(state, { audience }) {
    // They may begin to see the channel only after this entry, so only their clients are checked.
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
    ({ audience }) => {
      // The serializers leave out what was archived then.
      const isFor = audience.clients ? clientsOf(state, audience) : () => true;
      return (
        (audience.userIds as UserId[]).includes(queue.userId) &&
        (audience.channelIds as ChannelId[]).some(
          (channelId) => isFor(queue, channelId) && isVisibleToUser(state, queue, channelId),
        )
      );
    },
};

const channelPeers: AudienceRule = {
  to: "channel_peers",
  *queues(state, { audience, payload }) {
    const channelIds = audience.channelIds as ChannelId[];
    const concerned = new Set(payload.user_ids as number[]);
    const sees = visibilityTest(state, audience);
    for (const queue of queuesOf(state).byId.values()) {
      if (concerned.has(queue.userId)) continue;
      if (channelIds.some((channelId) => sees(queue, channelId))) yield queue;
    }
  },
  async reader(state, tx, queue) {
    const could = await pastVisibility(state, tx, queue);
    return ({ audience, payload, position }) =>
      !(payload.user_ids as number[]).includes(queue.userId) &&
      (audience.channelIds as ChannelId[]).some(
        (channelId) => visibilityTest(state, audience)(queue, channelId) && could(channelId, position),
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
  return isVisibleToUser(state, queue, channelId) && knowsOf(state, queue, channelId);
}

type Test = (queue: Queue, channelId: ChannelId) => boolean;

/** Whether the audience includes a queue whose user may know of a channel. */
function visibilityTest(state: OrganizationState, audience: Audience): Test {
  const isFor = clientsOf(state, audience);
  return (queue, channelId) => isFor(queue, channelId) && isVisibleToUser(state, queue, channelId);
}

function clientsOf(state: OrganizationState, audience: Audience): Test {
  const clients = audience.clients as Clients | undefined;
  if (!clients) return (queue, channelId) => knowsOf(state, queue, channelId);
  return (queue) => queue.can("archived_channels") === (clients === "with-archived");
}

/** A channel made in this transaction is not in memory yet, and is not archived. */
function knowsOf(state: OrganizationState, queue: Queue, channelId: ChannelId): boolean {
  return queue.can("archived_channels") || state.get(channels).byId.get(channelId)?.isArchived !== true;
}

function isNonGuest(state: OrganizationState, queue: Queue): boolean {
  const user = state.get(users).byId.get(queue.userId);
  return user !== undefined && user.role < roles.guest;
}
