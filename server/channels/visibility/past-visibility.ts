import type { ChannelId, Position } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { canSeeChannel } from "../access.ts";
import { channels } from "../channel.ts";
import { listChannelGains } from "../store.ts";
import { subscribedAt } from "../subscriptions/subscribers.ts";
import { findPastPrivacy } from "./past-privacy.ts";

type PastTest = (channelId: ChannelId, position: Position) => boolean;

/**
 * Whether the queue's user could know of a channel at a position after the queue's cursor: by subscription,
 * or by the channel's privacy then. The present role is used. That is enough: a user who sees a channel now
 * has also seen it since the last event that made it known to them, whatever their role was meanwhile.
 */
export async function pastVisibility(
  state: OrganizationState,
  tx: Queryable,
  queue: Queue,
): Promise<PastTest> {
  const wasSubscribed = await subscribedAt(state, tx, queue.userId);
  const { channelAt, changed } = await findPastPrivacy(state, tx, queue.cursor);
  const sawThroughout = await seenThroughout(state, tx, queue, changed);
  return (channelId, position) => {
    if (wasSubscribed(channelId, position) || sawThroughout(channelId, position)) return true;
    const user = state.get(users).byId.get(queue.userId);
    const channel = channelAt(channelId, position);
    return (
      user !== undefined &&
      channel !== undefined &&
      canSeeChannel(state, user, channel, { asSubscriber: false })
    );
  };
}

/** Whether the queue's user may know of the channel now. */
export function isVisibleToUser(state: OrganizationState, queue: Queue, channelId: ChannelId): boolean {
  const user = state.get(users).byId.get(queue.userId);
  const channel = state.get(channels).byId.get(channelId);
  return user !== undefined && channel !== undefined && canSeeChannel(state, user, channel);
}

/** Asked only of channels whose privacy changed, which are few: for others the present privacy decides. */
async function seenThroughout(
  state: OrganizationState,
  tx: Queryable,
  queue: Queue,
  channelIds: ReadonlySet<ChannelId>,
): Promise<PastTest> {
  if (channelIds.size === 0) return () => false;
  // Taken before anything is awaited: what is gained later says nothing of positions up to this one.
  const upTo = state.position;
  const seen = new Set([...channelIds].filter((id) => isVisibleToUser(state, queue, id)));
  if (seen.size === 0) return () => false;
  const gains = await listChannelGains(tx, state.organizationId, queue.userId, queue.cursor);
  return (channelId, position) =>
    seen.has(channelId) &&
    position <= upTo &&
    !gains.some((gain) => gain.position >= position && gain.channelIds.includes(channelId));
}
