import { ApiError, errors } from "../../../../api/errors.ts";
import type { Change } from "../../../platform/log/change.ts";
import type { User } from "../../users/user.ts";
import type { Viewer } from "../../users/viewer.ts";
import { type Channel, channels } from "../channel.ts";
import { parseChannelName } from "../names.ts";
import type { ChannelNotices } from "../notices.ts";
import { subscribe } from "../subscriptions/subscribe.ts";
import { announceCreated, createChannelFor } from "../subscriptions/subscribe-by-name.ts";
import { accessChannelCreation, type NewChannelSettings } from "./request.ts";

export interface CreateRequest {
  name: string;
  description: string | undefined;
  targets: readonly User[];
  settings: NewChannelSettings;
  isAnnounced: boolean;
}

/** Makes a channel, if the viewer may, and subscribes the targets; the viewer only if among them. */
export async function createWithSubscribers(
  tx: Change,
  viewer: Viewer,
  notices: ChannelNotices,
  request: CreateRequest,
): Promise<Channel> {
  const name = parseChannelName(request.name);
  if (tx.state.get(channels).findByName(name)) throw new ApiError(errors.channelAlreadyExists, { name });
  const { description, targets } = request;
  const settings = await accessChannelCreation(tx, viewer, request.settings);
  const fresh = { ...settings, name, ...(description !== undefined && { description }) };
  const channel = await createChannelFor(tx, viewer, targets, fresh).catch((error: unknown) => {
    // A name that only the database takes for one that is in use.
    if (error instanceof ApiError && error.declaration === errors.channelNameTaken) {
      throw new ApiError(errors.channelAlreadyExists, { name });
    }
    throw error;
  });
  const outcomes = await subscribe(tx, viewer, [channel], targets);
  await announceCreated(tx, viewer, notices, { created: [channel], outcomes, ...request });
  return channel;
}
