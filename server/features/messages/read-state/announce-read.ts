import type { MessageId, UserId } from "../../../../api/ids.ts";
import type { Change } from "../../../platform/log/change.ts";
import { toUsers } from "../../../platform/log/log-entry.ts";

/** Tells people that messages are read which they themselves did not mark: they left the channel, say. */
export function announceRead(tx: Change, userIds: readonly UserId[], messages: readonly MessageId[]): void {
  tx.appendRaw(
    { type: "update_message_flags", op: "add", operation: "add", flag: "read", messages, all: false },
    toUsers(userIds),
  );
}
