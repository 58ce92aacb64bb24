import { shortageOf } from "./shortage.ts";

/**
 * The safe fields of an error. The whole error must not be logged: those of the database hold values of rows.
 * For want of room, memory or connections everything fails at once, perhaps on the disk that the log is on.
 * So such an error has neither a message nor a stack.
 * An error with `isExpected` is the fault of a neighbour, such as a mail server that is down. It comes with
 * each try, and its place in the program tells nobody anything, so it has no stack.
 */
export function failureFacts(error: unknown, hasStack = true): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const { code, isExpected } = error as { code?: unknown; isExpected?: unknown };
  const shortage = shortageOf(error);
  if (shortage !== undefined) return { type: name, code, shortage };
  const showsStack = hasStack && isExpected !== true;
  return {
    type: name,
    message,
    code,
    ...(showsStack && { stack }),
    cause: cause === undefined ? undefined : failureFacts(cause, showsStack),
  };
}

/** For the field `err` of log lines, which may have the facts already. */
export function errorField(value: unknown): unknown {
  return value instanceof Error ? failureFacts(value) : value;
}
