import { shortageOf } from "./shortage.ts";

/**
 * The safe fields of an error. The whole error must not be logged: those of the database hold values of rows.
 * For want of room, memory or connections everything fails at once, perhaps on the disk that the log is on.
 * So such an error has neither a message nor a stack.
 */
export function failureFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  const shortage = shortageOf(error);
  if (shortage !== undefined) return { type: name, code, shortage };
  return { type: name, message, code, stack, cause: cause === undefined ? undefined : failureFacts(cause) };
}

/** For the field `err` of log lines, which may have the facts already. */
export function errorField(value: unknown): unknown {
  return value instanceof Error ? failureFacts(value) : value;
}
