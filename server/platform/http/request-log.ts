import type { Logger } from "pino";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { DatabaseUnavailable, OutcomeUnknown } from "../db/database-unavailable.ts";
import { isServerBusy } from "../db/server-busy.ts";
import { StorageAway } from "../file-storage/file-storage.ts";
import { failureFacts } from "../std/failure-facts.ts";
import { type Shortage, shortageOf } from "../std/shortage.ts";
import type { HttpStats } from "./http-stats.ts";
import type { Operation } from "./operation.ts";

const SLOW_MS = 2000;

const shortageErrors: Readonly<Record<Shortage, ErrorDeclaration>> = {
  disk: errors.diskFull,
  memory: errors.outOfMemory,
  connections: errors.tooManyConnections,
};

/**
 * The log of the HTTP edge: failures with their request id, slow calls, and every call at debug level. It
 * never has queries, headers, parameters or bodies, since they hold keys, passwords and what people wrote.
 */
export class RequestLog {
  readonly #log: Logger;
  readonly #stats: HttpStats;

  constructor(log: Logger, stats: HttpStats) {
    this.#log = log;
    this.#stats = stats;
  }

  /** `handlerMs`: how long the handler ran; undefined: it was not called. */
  call(operation: Operation, requestId: string, status: number, handlerMs: number | undefined): void {
    operation.stats.count(status, handlerMs);
    if (status >= 400) this.#stats.countError(status);
    const ms = handlerMs ?? 0;
    const isSlow = ms >= SLOW_MS && !operation.holds;
    if (!isSlow && !this.#log.isLevelEnabled("debug")) return;
    const facts = { requestId, endpoint: operation.name, status, ms: Math.round(ms) };
    if (isSlow) this.#log.warn(facts, "slow call");
    else this.#log.debug(facts, "call");
  }

  /**
   * Logs an unexpected error, and returns the one to respond with. `mayHaveChanged`: the call may have
   * changed something by a statement whose fate is unknown.
   */
  failure(error: unknown, requestId: string, what: string, mayHaveChanged = false): ApiError<never> {
    const shortage = error instanceof OutcomeUnknown ? undefined : shortageOf(error);
    if (shortage !== undefined) {
      // Without a stack: on a full disk each request fails, and the log is often on the same disk.
      this.#log.error({ requestId, endpoint: what, shortage }, "a request failed for want of resources");
      return new ApiError(shortageErrors[shortage]);
    }
    if (error instanceof StorageAway) {
      this.#log.warn({ requestId, endpoint: what }, error.message);
      return new ApiError(errors.filesAway);
    }
    if (error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown) {
      const isUnknown = mayHaveChanged && error instanceof OutcomeUnknown;
      this.#log.warn({ requestId, endpoint: what }, error.message);
      return new ApiError(isUnknown ? errors.outcomeUnknown : errors.databaseAway);
    }
    if (isServerBusy(error)) {
      this.#log.warn({ requestId, endpoint: what, err: failureFacts(error) }, "a request was put off");
      return new ApiError(errors.serverBusy);
    }
    this.#log.error({ requestId, endpoint: what, err: failureFacts(error) }, "a request failed");
    return new ApiError(errors.internal);
  }
}
