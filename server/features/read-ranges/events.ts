import type { FieldsOf } from "../../../api/event.ts";
import { flagAdded, flagRemoved } from "../../../api/events/flags.ts";
import type { MessageId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";

/** The details that clients need on messages that became unread, by message id. */
export type UnreadDetails = NonNullable<FieldsOf<typeof flagRemoved>["message_details"]>;

/** A change of a flag. */
interface FlagChange {
  op: "add" | "remove";
  flag: "read" | "starred" | "collapsed";
  messages: readonly MessageId[];
  /** Whether the change applies to all messages. */
  all?: boolean;
  details?: UnreadDetails;
}

/**
 * Announces to people's clients that a flag of theirs changed on messages. All such events come from here.
 */
export function announceFlag(tx: Change, userIds: readonly UserId[], change: FlagChange): void {
  const { op, flag, messages, all = false, details } = change;
  const fields = { flag, messages: [...messages], all };
  if (op === "add") {
    tx.append(flagAdded, { operation: op, ...fields }, toUsers(userIds));
  } else {
    const withDetails = { ...fields, ...(details && { message_details: details }) };
    tx.append(flagRemoved, { operation: op, ...withDetails }, toUsers(userIds));
  }
}

/** Announces that people have read these messages. */
export function announceRead(tx: Change, userIds: readonly UserId[], messages: readonly MessageId[]): void {
  announceFlag(tx, userIds, { op: "add", flag: "read", messages });
}
