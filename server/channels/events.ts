/** The events on channels and subscriptions that several verbs and hooks append, each made in one place. */
import type { ChannelRecord } from "../../api/channels/channel-fields.ts";
import type { FieldsOf } from "../../api/event.ts";
import { channelCreated, channelDeleted, channelUpdated } from "../../api/events/channels.ts";
import { defaultChannelsChanged } from "../../api/events/default-channels.ts";
import { peersAdded, peersRemoved } from "../../api/events/subscriptions.ts";
import type { ChannelId, UserId } from "../../api/ids.ts";
import type { Change } from "../platform/log/change.ts";
import type { Audience, StatePatch } from "../platform/log/log-entry.ts";
import type { Channel } from "./channel.ts";
import { listDefaultChannelIds } from "./store.ts";
import { toNonGuests } from "./visibility/audiences.ts";

/** A changed property of a channel, with the extra fields of its event. */
export type PropertyChange = Omit<FieldsOf<typeof channelUpdated>, "stream_id" | "name">;

export function appendChannelsCreated(
  tx: Change,
  records: ChannelRecord[],
  audience: Audience,
  ...patches: readonly StatePatch[]
): void {
  tx.append(channelCreated, { streams: records }, audience, ...patches);
}

export function appendChannelUpdated(
  tx: Change,
  { id, name }: Pick<Channel, "id" | "name">,
  change: PropertyChange,
  audience: Audience,
  ...patches: readonly StatePatch[]
): void {
  tx.append(channelUpdated, { stream_id: id, name, ...change }, audience, ...patches);
}

export function appendChannelsDeleted(
  tx: Change,
  channelIds: readonly ChannelId[],
  audience: Audience,
): void {
  const streams = channelIds.map((stream_id) => ({ stream_id }));
  tx.append(channelDeleted, { streams, stream_ids: [...channelIds] }, audience);
}

export function appendPeersAdded(
  tx: Change,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
  audience: Audience,
): void {
  tx.append(peersAdded, { stream_ids: [...channelIds], user_ids: [...userIds] }, audience);
}

export function appendPeersRemoved(
  tx: Change,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
  audience: Audience,
): void {
  tx.append(peersRemoved, { stream_ids: [...channelIds], user_ids: [...userIds] }, audience);
}

/** The default channels according to the transaction's rows. */
export async function appendDefaultChannels(tx: Change, ...patches: readonly StatePatch[]): Promise<void> {
  const ids = await listDefaultChannelIds(tx, tx.state.organizationId);
  appendDefaultChannelIds(tx, ids, toNonGuests, ...patches);
}

export function appendDefaultChannelIds(
  tx: Change,
  ids: readonly ChannelId[],
  audience: Audience,
  ...patches: readonly StatePatch[]
): void {
  tx.append(defaultChannelsChanged, { default_streams: [...ids] }, audience, ...patches);
}
