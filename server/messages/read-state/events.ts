import type { FieldsOf } from "../../../api/event.ts";
import { flagAdded, flagRemoved } from "../../../api/events/flags.ts";
import type { MessageId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";

/** The details that clients need on messages that became unread, by message id. */
export type UnreadDetails = NonNullable<FieldsOf<typeof flagRemoved>["message_details"]>;

/** An entry that names the messages of each person. */
export const storedOwnStars = storedEvent<{ flag: "starred"; own: OwnStars[] }>()(flagAdded);

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
export function announceFlag(tx: EventSink, userIds: readonly UserId[], change: FlagChange): void {
  const { op, flag, messages, all = false, details } = change;
  const fields = { flag, messages: [...messages], all };
  if (op === "add") {
    tx.append(flagAdded, { operation: op, ...fields }, toUsers(userIds));
  } else {
    const withDetails = { ...fields, ...(details && { message_details: details }) };
    tx.append(flagRemoved, { operation: op, ...withDetails }, toUsers(userIds));
  }
}

/** Messages with a star of this person. */
export interface OwnStars {
  userId: UserId;
  messageIds: readonly MessageId[];
}

/** Announces to people that they have stars on these messages. One entry, however many people there are. */
export function announceOwnStars(tx: Change, own: readonly OwnStars[]): void {
  if (own.length === 0) return;
  const userIds = own.map(({ userId }) => userId);
  tx.append(storedOwnStars, { flag: "starred", own: [...own] }, toUsers(userIds));
}

/** Announces that people have read these messages. */
export function announceRead(
  tx: EventSink,
  userIds: readonly UserId[],
  messages: readonly MessageId[],
): void {
  announceFlag(tx, userIds, { op: "add", flag: "read", messages });
}
