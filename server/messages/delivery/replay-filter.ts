import type { ChannelId, UserId } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import { type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedFields } from "../../platform/log/stored-event.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import type { ReplayFilter } from "../../platform/queues/queue-parts.ts";
import { listReadable } from "../access.ts";
import { storedUpdate } from "../edit/events.ts";
import type { PersonalRow } from "../model/message.ts";
import { forgetShown, isTold, readAsTheyAre } from "./as-they-are.ts";
import { canShowChannel, loggedMessage, type MessagePayload } from "./message-log.ts";
import { movesTold } from "./replayed-moves.ts";

/**
 * Filters the entries of a queue that catches up. New, edited and added contents are delivered late only for
 * messages that the queue's user may still read. Messages that were deleted, or moved where the user can't
 * read them, are not shown again.
 */
export const messageReplayFilter: ReplayFilter = {
  types: ["message", "update_message", "reaction", "submessage"],
  async filterFor(state, tx, queue, entries) {
    const user = state.get(users).byId.get(queue.userId as UserId);
    if (!user) return () => undefined;
    const ids = entries.map(toldMessage).filter((id) => id !== undefined);
    const readable = await listReadable({ state, user }, tx, ids);
    const rows = new Map(readable.map(({ row }) => [row.id as number, row]));
    const elsewhere = entries
      .map(({ payload }) => storedFields(loggedMessage, payload))
      .filter((sent) => sent !== undefined)
      .filter((sent) => isShownElsewhere(state, queue, sent, rows.get(sent.message.id)));
    const asTheyAre = await readAsTheyAre(
      state,
      queue,
      user,
      elsewhere.map(({ message }) => message.id),
    );
    const told = movesTold(state, queue, entries);
    return (entry) => {
      const sent = storedFields(loggedMessage, entry.payload);
      if (sent) return shownMessage(state, queue, entry, sent, rows.get(sent.message.id), asTheyAre);
      const id = toldMessage(entry);
      if (id !== undefined && isTold(queue, id, entry.position)) {
        const rest = withoutText(entry);
        return rest && told(rest);
      }
      const shown = id === undefined || rows.has(id) ? entry : withoutText(entry);
      return shown && told(shown);
    };
  },
};

/** The message whose contents an entry carries: new, edited, or drawn again. A move carries none. */
function toldMessage({ payload }: LogEntry): number | undefined {
  const sent = storedFields(loggedMessage, payload);
  if (sent) return sent.message.id;
  const updated = storedFields(storedUpdate, payload);
  if (!updated) return payload.message_id as number;
  return updated.update.content === undefined ? undefined : updated.update.message_id;
}

/**
 * A new message comes where it was sent, since its moves follow. If the channel it was sent to is closed to
 * the reader by now, it comes where and as it is now.
 */
function shownMessage(
  state: OrganizationState,
  queue: Queue,
  entry: LogEntry,
  sent: MessagePayload,
  row: PersonalRow | undefined,
  asTheyAre: Awaited<ReturnType<typeof readAsTheyAre>>,
): LogEntry | undefined {
  if (!row) return undefined;
  if (isShownAsSent(state, queue, sent)) {
    forgetShown(queue, sent.message.id);
    return entry;
  }
  const shown = asTheyAre.get(sent.message.id);
  if (!shown) return undefined;
  const { position, payload, audience, statePatch } = entry;
  return logEntry(position, { ...payload, ...shown, submessage: null }, audience, statePatch);
}

function isShownAsSent(
  state: OrganizationState,
  queue: Queue,
  { message, userIds }: MessagePayload,
): boolean {
  return userIds !== null || canShowChannel(state, queue, message.recipientId as ChannelId);
}

function isShownElsewhere(
  state: OrganizationState,
  queue: Queue,
  sent: MessagePayload,
  row: PersonalRow | undefined,
): boolean {
  if (!row || isShownAsSent(state, queue, sent) || row.recipientId === sent.message.recipientId) return false;
  return canShowChannel(state, queue, row.recipientId as ChannelId);
}

/**
 * The part of an entry that may still be delivered: the move of other messages, if the entry with the text
 * includes it.
 */
function withoutText({ position, payload, audience, statePatch }: LogEntry): LogEntry | undefined {
  const updated = storedFields(storedUpdate, payload);
  if (updated?.update.orig_subject === undefined) return undefined;
  const { content, orig_content, rendered_content, orig_rendered_content, is_me_message, ...update } =
    updated.update;
  return logEntry(position, { ...payload, update }, audience, statePatch);
}
