import { ApiError, errors } from "../../../api/errors.ts";
import { findAlike } from "../../../api/name-likeness.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { type Channel, channels } from "../channel.ts";
import { parseChannelName } from "../names.ts";
import { recordOthers } from "../subscriptions/record-others.ts";
import { subscribe } from "../subscriptions/subscribe.ts";
import { createChannelFor, subscribeMessages } from "../subscriptions/subscribe-by-name.ts";
import { accessChannelCreation, type NewChannelSettings } from "./request.ts";

export interface CreateRequest {
  name: string;
  description: string | undefined;
  targets: readonly User[];
  settings: NewChannelSettings;
  /** Counts the channel. */
  quotas: Quotas;
  isAnnounced: boolean;
}

/** Makes a channel, if the viewer may, and subscribes the targets; the viewer only if among them. */
export async function createWithSubscribers(tx: ViewerChange, request: CreateRequest): Promise<Channel> {
  const name = parseChannelName(request.name);
  if (findAlike(tx.state.get(channels).all(), name))
    throw new ApiError(errors.channelAlreadyExists, { name });
  const { description, targets, isAnnounced } = request;
  const settings = await accessChannelCreation(tx, request.settings);
  await request.quotas.use(tx, "channels");
  const fresh = { ...settings, name, ...(description !== undefined && { description }) };
  const channel = await createChannelFor(tx, targets, fresh).catch((error: unknown) => {
    // A name that only the database takes for one that is in use.
    if (error instanceof ApiError && error.declaration === errors.channelNameTaken) {
      throw new ApiError(errors.channelAlreadyExists, { name });
    }
    throw error;
  });
  const outcomes = await subscribe(tx, [channel], targets);
  await recordOthers(tx, "subscribers_added", outcomes);
  subscribeMessages.set(tx, { outcomes, isAnnounced, areTold: false });
  return channel;
}
