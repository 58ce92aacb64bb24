/**
 * The database could not be reached for a while, and what was asked of it has not been sent: nothing has happened, and the
 * same may be tried again. When a connection breaks with a statement under way, that statement's own error is thrown
 * instead, since it may have been carried out.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause?: unknown) {
    super("the database can't be reached", { cause });
  }
}

const codes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  // The socket of a PostgreSQL that is being started again.
  "ENOENT",
  // PostgreSQL is shutting down, was ended by a crash, is starting, or has as many connections as it takes.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);

/** What pg says of connections without a code. */
const messages = /^Connection terminated|not queryable$|^timeout expired$/;

/** Whether a connection could not be made, or broke, for a reason that may pass. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // A host name with several addresses fails with the errors of all of them.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? messages.test(message ?? "") : codes.has(code);
}
