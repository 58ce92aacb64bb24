/** What becomes of moves in a replay when the user can't read the destination any more. */
import type { ChannelId } from "../../../api/ids.ts";
import { canReadChannelById } from "../../channels/access.ts";
import { type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedFields } from "../../platform/log/stored-event.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { deletionInPlaceOf } from "../delete/events.ts";
import { storedUpdate } from "../edit/events.ts";
import { canShowChannel } from "./message-log.ts";

type Update = NonNullable<ReturnType<typeof updateOf>>;

/**
 * For entries of one page. A move that can't be told becomes the deletion of what its reader had in the old
 * place, as if it had been made now. Messages that a later entry moves on to where the reader can read them
 * stay until then.
 */
export function movesTold(
  state: OrganizationState,
  queue: Queue,
  entries: readonly LogEntry[],
): (entry: LogEntry) => LogEntry | undefined {
  const canTell = ({ new_stream_id }: Update) =>
    new_stream_id === undefined || canReadChannelById(state, new_stream_id as ChannelId, queue.userId);
  const movesOn = new Map<number, number>();
  for (const { position, payload } of entries) {
    const update = updateOf(payload);
    if (update?.new_stream_id === undefined || !canTell(update)) continue;
    for (const id of update.message_ids) movesOn.set(id, position);
  }
  return (entry) => {
    const update = updateOf(entry.payload);
    if (!update || canTell(update)) return entry;
    // The channel's own event has taken away what was there.
    if (!canShowChannel(state, queue, update.stream_id as ChannelId)) return undefined;
    const gone = update.message_ids.filter((id) => (movesOn.get(id) ?? 0) < entry.position);
    if (gone.length === 0) return undefined;
    if (gone.length === 1 || queue.can("bulk_message_deletion"))
      return asDeletion(queue, entry, update, gone);
    return withoutNewTopic(entry, update, gone);
  };
}

function updateOf(payload: LogEntry["payload"]) {
  return storedFields(storedUpdate, payload)?.update;
}

function asDeletion(
  queue: Queue,
  entry: LogEntry,
  { stream_id, orig_subject }: Update,
  ids: readonly number[],
): LogEntry | undefined {
  const place = { channelId: stream_id as ChannelId, topic: orig_subject ?? "" };
  const deletion = deletionInPlaceOf(entry, ids, place);
  return queue.wants(deletion.payload.type) ? deletion : undefined;
}

/**
 * COMPAT: for a client without bulk_message_deletion each deletion would be an event of its own, and an entry
 * has one position. It gets the move without the topic's name in the other channel. The event that takes that
 * channel away follows.
 */
function withoutNewTopic(
  { position, payload, audience }: LogEntry,
  { subject, topic_links, ...update }: Update,
  ids: readonly number[],
): LogEntry {
  const message_id = ids.includes(update.message_id) ? update.message_id : (ids[0] as number);
  return logEntry(position, { ...payload, update: { ...update, message_id, message_ids: ids } }, audience);
}
