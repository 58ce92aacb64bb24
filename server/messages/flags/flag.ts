import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_MESSAGES_A_CALL } from "../../../api/limits.ts";

/** The flags that people set themselves (spec Message flags). */
export type Flag = "read" | "starred" | "collapsed";

export interface FlagChange {
  op: "add" | "remove";
  flag: Flag;
  messageIds: readonly number[];
}

const editable: ReadonlySet<string> = new Set(["read", "starred", "collapsed"]);
/**
 * Flags that follow from a message's content or time. `wildcard_mentioned` is only sent to clients, so it
 * is not listed.
 */
const derived: ReadonlySet<string> = new Set([
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
  "group_mentioned",
  "has_alert_word",
  "historical",
  "force_expand",
  "force_collapse",
]);

export function parseFlagChange(op: string, flag: string, messageIds: readonly number[]): FlagChange {
  const change = { ...parseFlag(op, flag), messageIds };
  if (messageIds.length > MAX_MESSAGES_A_CALL)
    throw new ApiError(errors.tooManyMessages, { limit: MAX_MESSAGES_A_CALL });
  return change;
}

/** The change to make, for any messages. */
export function parseFlag(op: string, flag: string): Pick<FlagChange, "op" | "flag"> {
  if (op !== "add" && op !== "remove") throw new ApiError(errors.invalidFlagOperation, { op });
  if (derived.has(flag)) throw new ApiError(errors.flagNotEditable, { flag });
  if (!editable.has(flag)) throw new ApiError(errors.invalidFlag, { flag });
  return { op, flag: flag as Flag };
}
