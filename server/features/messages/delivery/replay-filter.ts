import type { UserId } from "../../../../api/ids.ts";
import { type LogEntry, logEntry } from "../../../platform/log/log-entry.ts";
import type { ReplayFilter } from "../../../platform/queues/queue-parts.ts";
import { users } from "../../users/user.ts";
import { listReadable } from "../access.ts";
import type { MessagePayload } from "./message-log.ts";
import type { UpdatePayload } from "./update-event.ts";

/**
 * What was said, edited or added is told late only of messages that the queue's person still may read: those that were
 * deleted or moved out of their sight meanwhile are not shown once more.
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

/** The message whose contents an entry tells; of a move none are told. */
function toldMessage({ payload }: LogEntry): number | undefined {
  if (payload.type === "message") return (payload as MessagePayload).message.id;
  if (payload.type !== "update_message") return payload.message_id as number;
  const { update } = payload as UpdatePayload;
  return update.orig_content === undefined ? undefined : update.message_id;
}

/** What remains to be told: that messages moved, if that was said along with the text. */
function withoutText({ position, payload, audience, statePatch: value }: LogEntry): LogEntry | undefined {
  if (payload.type !== "update_message") return undefined;
  const { content, orig_content, rendered_content, orig_rendered_content, is_me_message, ...update } = (
    payload as UpdatePayload
  ).update;
  return update.orig_subject === undefined
    ? undefined
    : logEntry(position, { ...payload, update }, audience, value);
}
