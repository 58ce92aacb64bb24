import type { FastifyRequest } from "fastify";
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

/** What a line has of the request. A call gives itself, so that calls without a line cost no object. */
export interface RequestFacts {
  readonly requestId: string;
  readonly organizationId?: number | undefined;
  readonly userId?: number | undefined;
  /** Kept for its line alone, so it is undefined where no lines are written. */
  readonly request?: FastifyRequest | undefined;
}

/**
 * The log of the HTTP edge: failures with their request id, slow calls, and requests. Every request has a
 * line at debug level, and at info level as many as the operator chose. No line has queries, headers,
 * parameters or bodies, since they hold keys, passwords and what people wrote. The address of a client is in
 * lines at debug level alone.
 */
export class RequestLog {
  /** Whether requests have lines. */
  readonly hasLines: boolean;
  readonly #log: Logger;
  readonly #stats: HttpStats;
  readonly #isDebug: boolean;
  readonly #every: number;
  /** Requests that log themselves. All others are pages, files, and what is not there. */
  readonly #claimed = new WeakSet<FastifyRequest>();
  #count = 0;

  /** `every`: at info level one of so many requests has a line; 0: none. */
  constructor(log: Logger, stats: HttpStats, every = 0) {
    this.#log = log;
    this.#stats = stats;
    this.#isDebug = log.isLevelEnabled("debug");
    this.#every = log.isLevelEnabled("info") ? every : 0;
    this.hasLines = this.#isDebug || this.#every > 0;
  }

  /** Says that the request will get its line by `call` or `line`. Gives what the line needs of it. */
  claim(request: FastifyRequest): FastifyRequest | undefined {
    if (!this.hasLines) return undefined;
    this.#claimed.add(request);
    return request;
  }

  /** The line of a request that was answered, unless it has logged itself. */
  answered(request: FastifyRequest, status: number, ms: number): void {
    if (this.#claimed.has(request)) return;
    const { url } = request.routeOptions;
    this.line(
      url === undefined ? "none" : `${request.method} ${url}`,
      { requestId: request.id, request },
      status,
      ms,
    );
  }

  /** `handlerMs`: how long the handler ran; undefined: it was not called. */
  call(operation: Operation, facts: RequestFacts, status: number, handlerMs: number | undefined): void {
    operation.stats.count(status, handlerMs);
    if (status >= 400) this.#stats.countError(status);
    const ms = handlerMs ?? 0;
    const isSlow = ms >= SLOW_MS && !operation.holds;
    if (isSlow) {
      const { requestId, organizationId, userId } = facts;
      const line = {
        requestId,
        endpoint: operation.name,
        status,
        ms: Math.round(ms),
        organizationId,
        userId,
      };
      this.#log.warn(line, "slow call");
    } else if (this.hasLines) {
      this.line(operation.name, facts, status, ms);
    }
  }

  /** `endpoint`: what was asked for, as it was declared. What people write into an address is in no line. */
  line(endpoint: string, facts: RequestFacts, status: number, ms: number): void {
    const { requestId, organizationId, userId, request } = facts;
    const line = { requestId, endpoint, status, ms: Math.round(ms), organizationId, userId };
    if (this.#isDebug) {
      this.#log.debug(
        { ...line, address: request?.ip, proxyRequestId: request && proxyIdOf(request) },
        "call",
      );
    } else if (this.#every > 0 && ++this.#count % this.#every === 0) {
      this.#log.info(line, "call");
    }
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

/** The id that a trusted proxy gave the request. The others' have been removed. */
function proxyIdOf({ raw }: FastifyRequest): string | undefined {
  const id = raw.headers["x-request-id"];
  return typeof id === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(id) ? id : undefined;
}
