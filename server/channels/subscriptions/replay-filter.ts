import { peersAdded, subscriptionAdded } from "../../../api/events/subscriptions.ts";
import type { ChannelId, Position, UserId } from "../../../api/ids.ts";
import { type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import { storedFields } from "../../platform/log/stored-event.ts";
import type { ReplayFilter } from "../../platform/queues/queue-parts.ts";
import { listPeerChanges, type PeerChange } from "../store.ts";
import { storedAdded } from "./event-serializer.ts";
import { subscriberList } from "./subscriber-lists.ts";

/**
 * A new subscription comes with the subscribers that the channel had at the time, since events about people
 * who came and went later follow. That list is found by undoing these events in the present list.
 */
export const subscriptionReplayFilter: ReplayFilter = {
  types: [subscriptionAdded.type],
  async filterFor(state, tx, { userId }, entries) {
    const added = entries.filter(({ payload }) => storedFields(storedAdded, payload) !== undefined);
    if (added.length === 0) return (entry) => entry;
    const channelIds = [...new Set(added.flatMap(({ payload }) => channelsOf(payload)))];
    // Read before anything is awaited: the lists are those of this position.
    const upTo = state.position;
    const lists = new Map(channelIds.map((id) => [id, subscriberList(state, id).ids]));
    const after = Math.min(...added.map(({ position }) => position)) as Position;
    const changes = await listPeerChanges(tx, state.organizationId, channelIds, after, upTo);
    return (entry) => {
      if (!added.includes(entry)) return entry;
      const idsOf = (id: ChannelId) =>
        idsBefore(changesAfter(entry, id, userId as UserId, changes), lists.get(id) ?? []);
      return withSubscribers(entry, new Map(channelsOf(entry.payload).map((id) => [id, idsOf(id)])));
    };
  },
};

/** The later changes, without the entry's own subscription: the first change that names its user. */
function changesAfter(
  { position, audience }: LogEntry,
  channelId: ChannelId,
  userId: UserId,
  changes: readonly PeerChange[],
): PeerChange[] {
  const later = changes.filter((each) => each.position > position && each.channelIds.includes(channelId));
  // Nobody else is told of the subscriptions to a channel that comes back from the archive.
  if (audience.clients !== undefined) return later;
  const own = later.find(({ op, userIds }) => op === peersAdded.op && userIds.includes(userId));
  return later.filter((change) => change !== own);
}

function channelsOf(payload: LogEntry["payload"]): ChannelId[] {
  const { subscriptions } = storedFields(storedAdded, payload) ?? { subscriptions: [] };
  return subscriptions.map(({ stream_id }) => stream_id as ChannelId);
}

/** Takes changes back, the newest first. */
function idsBefore(changes: readonly PeerChange[], now: readonly UserId[]): UserId[] {
  const ids = new Set(now);
  for (const { op, userIds } of [...changes].reverse()) {
    for (const id of userIds) {
      if (op === peersAdded.op) ids.delete(id);
      else ids.add(id);
    }
  }
  return [...ids].sort((one, other) => one - other);
}

function withSubscribers(
  { position, payload, audience, statePatch }: LogEntry,
  subscriberIds: ReadonlyMap<ChannelId, readonly UserId[]>,
): LogEntry {
  const { subscriptions = [] } = storedFields(storedAdded, payload) ?? {};
  const counted = subscriptions.map((record) => ({
    ...record,
    subscriber_count: subscriberIds.get(record.stream_id as ChannelId)?.length ?? 0,
  }));
  return logEntry(position, { ...payload, subscriptions: counted, subscriberIds }, audience, statePatch);
}
