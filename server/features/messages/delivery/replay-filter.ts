import type { UserId } from "../../../../api/ids.ts";
import { type LogEntry, logEntry } from "../../../platform/log/log-entry.ts";
import { storedFields } from "../../../platform/log/stored-event.ts";
import type { ReplayFilter } from "../../../platform/queues/queue-parts.ts";
import { users } from "../../users/user.ts";
import { listReadable } from "../access.ts";
import { storedUpdate } from "../edit/events.ts";
import { loggedMessage } from "./message-log.ts";

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
    const readable = new Set(
      (await listReadable({ state, user }, tx, ids)).map(({ row }) => row.id as number),
    );
    return (entry) => {
      const id = toldMessage(entry);
      return id === undefined || readable.has(id) ? entry : withoutText(entry);
    };
  },
};

/** The message whose contents an entry carries. A move carries none. */
function toldMessage({ payload }: LogEntry): number | undefined {
  const sent = storedFields(loggedMessage, payload);
  if (sent) return sent.message.id;
  const updated = storedFields(storedUpdate, payload);
  if (!updated) return payload.message_id as number;
  return updated.update.orig_content === undefined ? undefined : updated.update.message_id;
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
