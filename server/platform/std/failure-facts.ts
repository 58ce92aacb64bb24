/**
 * The safe fields of an error. The whole error must not be logged: those of the database hold values of rows.
 */
export function failureFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, code, stack, cause: cause === undefined ? undefined : failureFacts(cause) };
}

/** For the field `err` of log lines, which may have the facts already. */
export function errorField(value: unknown): unknown {
  return value instanceof Error ? failureFacts(value) : value;
}
