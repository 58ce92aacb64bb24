/**
 * The database could not be reached for a while, and the statement was not sent. So nothing has changed, and
 * the caller may try again.
 */
export class DatabaseUnavailable extends Error {
  readonly isExpected = true;
  constructor(cause?: unknown) {
    super("the database can't be reached", { cause });
  }
}

/** The connection broke with a statement or a commit under way, which may have been executed. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the connection to the database broke, and whether a statement was executed is unknown", { cause });
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
  // The socket is missing while PostgreSQL is restarted.
  "ENOENT",
  // PostgreSQL is shutting down, has crashed, is starting, or has reached its maximum of connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);

/** The messages of pg for connection errors that have no code. */
const messages = /^Connection terminated|not queryable$|^timeout expired$/;

/** Whether a connection could not be opened, or broke, for a reason that may be temporary. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // A host name with several addresses fails with one error for each.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? messages.test(message ?? "") : codes.has(code);
}
