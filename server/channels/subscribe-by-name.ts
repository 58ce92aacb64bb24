import { ApiError, errors } from "../../api/errors.ts";
import type { ChannelId } from "../../api/ids.ts";
import type { Change } from "../events/transaction.ts";
import type { User } from "../users/user.ts";
import type { Viewer } from "../viewer.ts";
import { canAddSubscribers, canSubscribe, mayAddOthers } from "./access.ts";
import { type Channel, channels } from "./channel.ts";
import { createChannel } from "./create.ts";
import { accessChannelCreation, type NewChannelSettings } from "./creation.ts";
import { parseChannelName } from "./names.ts";
import { type Outcome, subscribe } from "./subscribe.ts";

export interface SubscribeRequest {
  channels: readonly { name: string; description?: string; color?: string }[];
  targets: readonly User[];
  /** Whether a channel that the viewer may not subscribe to fails everything; else it is passed over. */
  isFatal: boolean;
  /** What channels that don't exist yet are made with. */
  settings: NewChannelSettings;
}

/** Subscribes the targets to channels by name, and makes those that do not exist (spec E2). */
export async function subscribeByName(
  tx: Change,
  viewer: Viewer,
  request: SubscribeRequest,
): Promise<{ outcomes: Outcome[]; unauthorized: string[] }> {
  const named = new Map(request.channels.map((each) => [each.name.trim().toLowerCase(), each]));
  const ready: Channel[] = [];
  const missing: string[] = [];
  const unauthorized: string[] = [];
  const colors = new Map<ChannelId, string>();
  for (const [key, { name }] of named) {
    const channel = tx.live.get(channels).findByName(name.trim());
    if (!channel) missing.push(key);
    else if (maySubscribe(viewer, channel, request.targets)) ready.push(channel);
    else if (request.isFatal) throw new ApiError(errors.unableToAccessChannel, { name: name.trim() });
    else unauthorized.push(name.trim());
  }
  // Every name is looked at before the first channel is made, so that the error is the same whatever their order.
  for (const key of missing) parseChannelName(key);
  if (missing.length > 0) {
    const checked = await accessChannelCreation(tx, viewer, request.settings);
    for (const key of missing) {
      const { name, description } = named.get(key) as SubscribeRequest["channels"][number];
      const channel = await createChannel(tx, viewer, {
        ...checked,
        name,
        ...(description !== undefined && { description }),
      });
      if (hasOthers(viewer, request.targets) && !mayAddOthers(tx.live, viewer.user, channel)) {
        throw new ApiError(errors.insufficientPermission);
      }
      ready.push(channel);
    }
  }
  for (const channel of ready) {
    const color = named.get(channel.name.toLowerCase())?.color;
    if (color !== undefined) colors.set(channel.id, color);
  }
  return { outcomes: await subscribe(tx, viewer, ready, request.targets, colors), unauthorized };
}

function maySubscribe({ live, user }: Viewer, channel: Channel, targets: readonly User[]): boolean {
  return targets.every((target) => target.id === user.id)
    ? canSubscribe(live, user, channel)
    : canAddSubscribers(live, user, channel);
}

function hasOthers({ user }: Viewer, targets: readonly User[]): boolean {
  return targets.some((target) => target.id !== user.id);
}
