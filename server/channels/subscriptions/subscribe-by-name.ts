import { ApiError, errors } from "../../../api/errors.ts";
import { foldName } from "../../../api/fold-name.ts";
import type { ChannelId } from "../../../api/ids.ts";
import { MAX_BULK_SUBSCRIPTION_MESSAGES } from "../../../api/limits.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { ChangeNote } from "../../platform/log/change-note.ts";
import { canAddOthers, canAddSubscribers, canSubscribe } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { createChannel, type NewChannel } from "../create/create.ts";
import { accessChannelCreation, type NewChannelSettings } from "../create/request.ts";
import { parseChannelName } from "../names.ts";
import { parseColor } from "./colors.ts";
import { recordOthers } from "./record-others.ts";
import { type Outcome, subscribe } from "./subscribe.ts";

export interface SubscribeRequest {
  channels: readonly { name: string; description?: string; color?: string }[];
  targets: readonly User[];
  /**
   * Whether a channel that the viewer may not subscribe to fails the whole request; otherwise it is
   * skipped.
   */
  isFatal: boolean;
  /** The properties of channels that don't exist yet. */
  settings: NewChannelSettings;
  /** Counts the channels that are made. */
  quotas: Quotas;
  /** Whether new channels are announced. */
  isAnnounced: boolean;
  /** Whether people whom the viewer subscribes to existing channels get a direct message. */
  isTold: boolean;
}

/** What a request that subscribes people did, and which messages about it are wanted. */
export interface SubscribeMessages {
  /** One for each channel of the request, new channels too. */
  outcomes: readonly Outcome[];
  /** Whether channels that were made are announced where the organization announces new ones. */
  isAnnounced: boolean;
  /** Whether people whom the viewer subscribed get a direct message about channels that existed before. */
  areTold: boolean;
}

/** For the hook that posts the messages: messages are in a layer above channels. */
export const subscribeMessages = new ChangeNote<SubscribeMessages>();

/** Subscribes the targets to channels by name, and makes those that do not exist (spec E2). */
export async function subscribeByName(
  tx: ViewerChange,
  request: SubscribeRequest,
): Promise<{ outcomes: Outcome[]; unauthorized: string[]; areTold: boolean }> {
  const { viewer } = tx;
  const { named, ready, missing, unauthorized } = sortNames(viewer, request);
  const created: Channel[] = [];
  // Every name is checked before the first channel is made, so that the error does not depend on their
  // order.
  for (const key of missing) parseChannelName(named.get(key)?.name ?? "");
  if (missing.length > 0) {
    const checked = await accessChannelCreation(tx, request.settings);
    await request.quotas.use(tx, "channels", missing.length);
    for (const key of missing) {
      const { name, description } = named.get(key) as NamedChannel;
      const fresh = { ...checked, name, ...(description !== undefined && { description }) };
      created.push(await createChannelFor(tx, request.targets, fresh));
    }
  }
  ready.push(...created);
  const outcomes = await subscribe(tx, ready, request.targets, colorsOf(named, ready));
  await recordOthers(tx, "subscribers_added", outcomes);
  const subscribed = new Set(outcomes.flatMap(({ changed }) => changed));
  const areTold = request.isTold && subscribed.size <= MAX_BULK_SUBSCRIPTION_MESSAGES;
  subscribeMessages.set(tx, { outcomes, isAnnounced: request.isAnnounced, areTold });
  return { outcomes, unauthorized, areTold };
}

type NamedChannel = SubscribeRequest["channels"][number];

interface SortedNames {
  /** By folded name. The last of several that are alike counts. */
  named: ReadonlyMap<string, NamedChannel>;
  /** To which the targets can be subscribed. */
  ready: Channel[];
  /** The folded names that no channel has. */
  missing: string[];
  /** The names of channels to which the viewer may not subscribe the targets. */
  unauthorized: string[];
}

/** Throws `unableToAccessChannel` if one is unauthorized and the request is to fail then. */
export function sortNames(
  viewer: Viewer,
  { channels: wanted, targets, isFatal }: Pick<SubscribeRequest, "channels" | "targets" | "isFatal">,
): SortedNames {
  const named = new Map(wanted.map((each) => [foldName(each.name.trim()), each]));
  const ready: Channel[] = [];
  const missing: string[] = [];
  const unauthorized: string[] = [];
  for (const [key, { name }] of named) {
    const channel = viewer.state.get(channels).findByName(name.trim());
    if (!channel) missing.push(key);
    else if (canSubscribeTargets(viewer, channel, targets)) ready.push(channel);
    else if (isFatal) throw new ApiError(errors.unableToAccessChannel, { name: name.trim() });
    else unauthorized.push(name.trim());
  }
  return { named, ready, missing, unauthorized };
}

/** The colors that a request names for these channels. */
export function colorsOf(
  named: SortedNames["named"],
  wanted: readonly Channel[],
): ReadonlyMap<ChannelId, string> {
  const colors = new Map<ChannelId, string>();
  for (const channel of wanted) {
    const color = parseColor(named.get(foldName(channel.name))?.color ?? "");
    if (color !== undefined) colors.set(channel.id, color);
  }
  return colors;
}

/**
 * Makes a channel for these people. Throws if the viewer may not subscribe them (`createChannel` checks
 * nothing).
 */
export async function createChannelFor(
  tx: ViewerChange,
  targets: readonly User[],
  request: NewChannel,
): Promise<Channel> {
  const { viewer } = tx;
  const channel = await createChannel(tx, request);
  if (hasOthers(viewer, targets) && !canAddOthers(tx.state, viewer.user, channel)) {
    throw new ApiError(errors.insufficientPermission);
  }
  return channel;
}

function canSubscribeTargets({ state, user }: Viewer, channel: Channel, targets: readonly User[]): boolean {
  return targets.every((target) => target.id === user.id)
    ? canSubscribe(state, user, channel)
    : canAddSubscribers(state, user, channel);
}

function hasOthers({ user }: Viewer, targets: readonly User[]): boolean {
  return targets.some((target) => target.id !== user.id);
}
