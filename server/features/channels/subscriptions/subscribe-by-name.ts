import { ApiError, errors } from "../../../../api/errors.ts";
import { foldName } from "../../../../api/fold-name.ts";
import type { ChannelId } from "../../../../api/ids.ts";
import type { Change } from "../../../platform/log/change.ts";
import type { User } from "../../users/user.ts";
import type { Viewer } from "../../users/viewer.ts";
import { canAddOthers, canAddSubscribers, canSubscribe } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { createChannel, type NewChannel } from "../create/create.ts";
import { accessChannelCreation, type NewChannelSettings } from "../create/request.ts";
import { parseChannelName } from "../names.ts";
import type { ChannelNotices } from "../notices.ts";
import { parseColor } from "./colors.ts";
import { type Outcome, subscribe } from "./subscribe.ts";

export interface SubscribeRequest {
  channels: readonly { name: string; description?: string; color?: string }[];
  targets: readonly User[];
  /** Whether a channel that the viewer may not subscribe to fails everything; else it is passed over. */
  isFatal: boolean;
  /** What channels that don't exist yet are made with. */
  settings: NewChannelSettings;
  /** Whether channels that are made are announced. */
  isAnnounced: boolean;
  /** Whether people whom the viewer subscribes are told so, of channels that were there. */
  isTold: boolean;
}

/** Subscribes the targets to channels by name, and makes those that do not exist (spec E2). */
export async function subscribeByName(
  tx: Change,
  viewer: Viewer,
  notices: ChannelNotices,
  request: SubscribeRequest,
): Promise<{ outcomes: Outcome[]; unauthorized: string[]; areTold: boolean }> {
  const named = new Map(request.channels.map((each) => [foldName(each.name.trim()), each]));
  const ready: Channel[] = [];
  const created: Channel[] = [];
  const missing: string[] = [];
  const unauthorized: string[] = [];
  const colors = new Map<ChannelId, string>();
  for (const [key, { name }] of named) {
    const channel = tx.state.get(channels).findByName(name.trim());
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
      const fresh = { ...checked, name, ...(description !== undefined && { description }) };
      created.push(await createChannelFor(tx, viewer, request.targets, fresh));
    }
  }
  ready.push(...created);
  for (const channel of ready) {
    const color = parseColor(named.get(foldName(channel.name))?.color ?? "");
    if (color !== undefined) colors.set(channel.id, color);
  }
  const outcomes = await subscribe(tx, viewer, ready, request.targets, colors);
  await announceCreated(tx, viewer, notices, { created, outcomes, ...request });
  const areTold = request.isTold && (await notices.subscribedByOther(tx, viewer, outcomes, created));
  return { outcomes, unauthorized, areTold };
}

/** Makes a channel for these people, if the viewer may put them into it (`createChannel` checks nothing of the viewer). */
export async function createChannelFor(
  tx: Change,
  viewer: Viewer,
  targets: readonly User[],
  request: NewChannel,
): Promise<Channel> {
  const channel = await createChannel(tx, viewer, request);
  if (hasOthers(viewer, targets) && !canAddOthers(tx.state, viewer.user, channel)) {
    throw new ApiError(errors.insufficientPermission);
  }
  return channel;
}

/** Posts what is to be said of channels that were made. */
export async function announceCreated(
  tx: Change,
  viewer: Viewer,
  notices: ChannelNotices,
  {
    created,
    outcomes,
    isAnnounced,
  }: { created: readonly Channel[]; outcomes: readonly Outcome[]; isAnnounced: boolean },
): Promise<void> {
  const isIn = outcomes.some(
    ({ channel, changed }) => created.includes(channel) && changed.includes(viewer.user),
  );
  await notices.channelsCreated(tx, viewer, created, { isAnnounced, isIn });
}

function maySubscribe({ state, user }: Viewer, channel: Channel, targets: readonly User[]): boolean {
  return targets.every((target) => target.id === user.id)
    ? canSubscribe(state, user, channel)
    : canAddSubscribers(state, user, channel);
}

function hasOthers({ user }: Viewer, targets: readonly User[]): boolean {
  return targets.some((target) => target.id !== user.id);
}
