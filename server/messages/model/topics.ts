import { ApiError, errors } from "../../../api/errors.ts";
import { accessReadableChannel } from "../../channels/access.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { findReadableRanges, historyAccessOf } from "../query/readable/readable-ranges.ts";
import { listTopicEnds, type TopicEnd } from "./topic-messages-store.ts";

/**
 * A channel that the viewer may read, or without a viewer, that everyone may read. Otherwise throws "Invalid
 * channel ID".
 */
export function accessChannelForReading(
  state: OrganizationState,
  viewer: Viewer | undefined,
  id: number,
): Channel {
  if (viewer) return accessReadableChannel(viewer, id);
  const channel = state.get(channels).find(id);
  if (!channel || historyAccessOf({ state, user: undefined }, channel) === "nothing")
    throw new ApiError(errors.invalidChannelId);
  return channel;
}

/**
 * The topics in which the viewer can read a message, each with the newest message that they can read. Newest
 * first.
 */
export async function listTopics(
  state: OrganizationState,
  viewer: Viewer | undefined,
  tx: Queryable,
  channel: Channel,
): Promise<TopicEnd[]> {
  const scope = { channels: [channel], conversations: [], withHistory: true };
  const { ranges } = await findReadableRanges({ state, user: viewer?.user }, tx, scope);
  return listTopicEnds(tx, state.organizationId, channel.id, ranges);
}
