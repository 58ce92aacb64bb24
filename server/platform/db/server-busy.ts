/**
 * Something can't be done now, and nothing has changed: too much is waiting, a lock or a statement took too
 * long, or changes kept getting in the way. The caller may try again. Clients get a 503 with `Retry-After`.
 */
export class ServerBusy extends Error {}

/**
 * PostgreSQL's codes for a transaction that it has rolled back so that others can go on.
 * `serialization_failure`, `deadlock_detected`, `lock_not_available`, `query_canceled` (the statement's
 * timeout), `idle_in_transaction_session_timeout` and `transaction_timeout`.
 */
const codes = new Set(["40001", "40P01", "55P03", "57014", "25P03", "25P04"]);
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";

/** Whether it failed for want of time or a lock, and was rolled back. */
export function isServerBusy(error: unknown): boolean {
  return error instanceof ServerBusy || codes.has((error as { code?: string } | undefined)?.code ?? "");
}

/** Whether a statement waited for one lock longer than its connection allows. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === LOCK_NOT_AVAILABLE;
}

export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DEADLOCK;
}
