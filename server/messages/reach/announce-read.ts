import type { MessageId, UserId } from "../../../api/ids.ts";
import { toUsers } from "../../events/entry.ts";
import type { Change } from "../../events/transaction.ts";

/** Tells people that messages are read which they themselves did not mark: they left the channel, say. */
export function announceRead(tx: Change, userIds: readonly UserId[], messages: readonly MessageId[]): void {
  tx.append(
    { type: "update_message_flags", op: "add", operation: "add", flag: "read", messages, all: false },
    toUsers(userIds),
  );
}
