/**
 * Messages that a replay shows where they are now. What happened to them where they were sent is told to
 * nobody who can't see that place any more: edits, reactions, votes, and what made them read. So they come as
 * they are, and what the log has of them up to then is not told again.
 */
import type { MessageId, Position } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { listReadableTexts } from "../access.ts";
import { personalFlags, toMessage } from "../model/message.ts";
import { MessageExtras } from "../model/message-extras.ts";
import type { MessagePayload } from "./message-log.ts";

type Shown = Pick<MessagePayload, "message" | "personal" | "added">;

/** The page of the log had these messages with their texts too. */
const NO_LIMIT = 2 ** 31 - 1;

/** For each queue that reads the log again: up to which position these messages have what happened. */
const shownUpTo = new WeakMap<Queue, Map<number, Position>>();

/** These messages for the queue's reader, as far as they may be read. */
export async function readAsTheyAre(
  state: OrganizationState,
  queue: Queue,
  user: User,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<number, Shown>> {
  if (ids.length === 0) return new Map();
  const reader = { state, user };
  const known = shownUpTo.get(queue) ?? new Map<number, Position>();
  shownUpTo.set(queue, known);
  // The queue reads nothing again that it has behind it.
  for (const [id, head] of known) if (head <= queue.cursor) known.delete(id);
  return state.database.snapshot(async (tx) => {
    const { head } = await state.readHeads(tx);
    const readable = await listReadableTexts(reader, tx, ids, NO_LIMIT);
    const extras = await MessageExtras.read(
      reader,
      tx,
      readable.map(({ row }) => row),
    );
    const shown = new Map<number, Shown>();
    for (const { row, isRead } of readable) {
      const { edit_history, ...added } = extras.present(row.id, { emptyTopicName: true });
      const bits = row.personal | (isRead ? personalFlags.readOnArrival : 0);
      shown.set(row.id, { message: toMessage(row), personal: [[queue.userId, bits]], added });
      known.set(row.id, head);
    }
    return shown;
  });
}

/** The message is shown as it was sent after all, so what happened to it since is told. */
export function forgetShown(queue: Queue, messageId: number): void {
  shownUpTo.get(queue)?.delete(messageId);
}

/** Whether the queue has this change of the message already, since it was shown later than that. */
export function isTold(queue: Queue, messageId: number, position: Position): boolean {
  return position <= (shownUpTo.get(queue)?.get(messageId) ?? 0);
}
