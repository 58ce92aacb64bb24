/**
 * The path of a call: host → organization → viewer → limits → parameters → handler → response.
 *
 * Everything but the handler is synchronous once the organization is in memory, and the response is written
 * directly to the socket. Fastify only routes calls. A thrown error becomes the response that api/errors.ts
 * declares, or a plain 500 that is logged once.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { type AnswerHead, isApiError, writeError } from "./answer.ts";
import { readBody } from "./body.ts";
import type { Caller } from "./caller.ts";
import { clientName, normalizeClientName } from "./client-name.ts";
import type { RateLimitPeers } from "./counter-sync.ts";
import { type Authentication, Credentials } from "./credentials.ts";
import { Exchange } from "./exchange.ts";
import type { Fields } from "./form.ts";
import { type Host, Hosts } from "./host.ts";
import type { InFlight } from "./in-flight.ts";
import { checkRole, type Operation } from "./operation.ts";
import { type Rate, RateLimiter, type RateLimits } from "./rate-limit.ts";
import type { RequestLog } from "./request-log.ts";

export interface ApiOptions extends Authentication {
  /** The loaded organization of a host name (without port, in lower case). undefined: unknown host. */
  stateOf(host: string): Promise<OrganizationState | undefined> | OrganizationState | undefined;
  canSpectate(state: OrganizationState): boolean;
  isDeactivated(state: OrganizationState): boolean;
  /** undefined: no limits. */
  rateLimits: RateLimits | undefined;
  /** The other processes that count calls for the same limits. */
  peers?: RateLimitPeers | undefined;
  /** The URL under which people reach the server. undefined: the host that the request names. */
  publicUrl: string | undefined;
}

/**
 * Longer URLs are refused. The connection's parser accepts more, so that the refusal can be a JSON response.
 */
export const MAX_URL_LENGTH = 16 * 1024;

export class Api {
  readonly inFlight: InFlight;
  readonly requestLog: RequestLog;
  readonly #options: ApiOptions;
  readonly #hosts: Hosts;
  readonly #credentials: Credentials;
  readonly #limiter: RateLimiter | undefined;

  constructor(options: ApiOptions, inFlight: InFlight, requestLog: RequestLog) {
    this.inFlight = inFlight;
    this.requestLog = requestLog;
    this.#options = options;
    this.#hosts = new Hosts(options.publicUrl);
    this.#credentials = new Credentials(options);
    this.#limiter = options.rateLimits && new RateLimiter(options.rateLimits, Date.now, options.peers);
  }

  /** Answers one call, at once or later. Never throws. */
  serve(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    readBody(request.raw, (body) => {
      if ("error" in body) this.refuse(request, reply, body.error, true);
      else this.#serve(operation, request, reply, body.fields);
    });
  }

  /** Answers a request that reaches no endpoint. `isLast`: the rest of its body will not be read. */
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, isLast = false): void {
    if (!reply.sent) reply.hijack();
    const head: AnswerHead = {
      requestId: request.id,
      rate: undefined,
      isLast: isLast || this.inFlight.isStopping,
    };
    let answered = error;
    try {
      this.#countAddress(head, request);
    } catch (overLimit) {
      answered = overLimit;
    }
    const known = isApiError(answered) ? answered : this.requestLog.failure(answered, request.id, "none");
    writeError(reply.raw, known, head);
  }

  #serve(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
    fields: Fields | undefined,
  ): void {
    const exchange = new Exchange(operation, reply.raw, request.id, this.inFlight, this.requestLog);
    try {
      if ((request.raw.url as string).length > MAX_URL_LENGTH) throw new ApiError(errors.addressTooLong);
      if (operation.holds && this.inFlight.isStopping) throw new ApiError(errors.shuttingDown);
      const host = this.#hosts.read(request.headers.host);
      const state = this.#options.stateOf(host.name);
      if (state instanceof Promise) this.#callLater(exchange, request, fields, host, state);
      else this.#call(exchange, request, fields, host, state);
    } catch (error) {
      exchange.fail(error);
    }
  }

  async #callLater(
    exchange: Exchange,
    request: FastifyRequest,
    fields: Fields | undefined,
    host: Host,
    loading: Promise<OrganizationState | undefined>,
  ): Promise<void> {
    try {
      this.#call(exchange, request, fields, host, await loading);
    } catch (error) {
      exchange.fail(error);
    }
  }

  #call(
    exchange: Exchange,
    request: FastifyRequest,
    fields: Fields | undefined,
    host: Host,
    state: OrganizationState | undefined,
  ): void {
    if (!state) {
      this.#countAddress(exchange.head, request);
      throw new ApiError(errors.unknownHost, { host: host.name });
    }
    const client = clientName(request.headers["user-agent"]);
    const viewer = this.#admit(exchange, request, state, client);
    const decoded = exchange.operation.decoder.decode(
      request.params as Fields | undefined,
      request.query as Fields | undefined,
      fields,
    );
    exchange.unsupported = decoded.unsupported;
    const named = decoded.client === undefined ? client : normalizeClientName(decoded.client);
    exchange.run({
      state,
      viewer: viewer && named !== client ? { ...viewer, client: named } : viewer,
      params: decoded.params,
      address: request.ip,
      client: named,
      baseUrl: host.baseUrl,
    });
  }

  /**
   * Authenticates the caller, and returns undefined if the endpoint needs no account. Throws if the caller
   * lacks the permission or is over the rate limit.
   */
  #admit(
    { operation, head }: Exchange,
    request: FastifyRequest,
    state: OrganizationState,
    client: string,
  ): Caller | undefined {
    const { access } = operation;
    const header = access === "anyone" ? undefined : request.headers.authorization;
    if (header === undefined) this.#countAddress(head, request);
    if (operation.isOff) throw new ApiError(errors.developmentOnly);
    if (this.#options.isDeactivated(state) && !operation.outlivesOrganization) {
      throw new ApiError(errors.organizationDeactivated);
    }
    if (header === undefined) {
      if (access === "anyone" || (access === "spectator" && this.#options.canSpectate(state)))
        return undefined;
      throw new ApiError(errors.notLoggedIn);
    }
    const viewer = this.#authenticate(head, request, state, header, client);
    if (this.#limiter) this.#note(head, this.#limiter.countUser(state.organizationId, viewer.user.id));
    checkRole(access, viewer);
    return viewer;
  }

  /** Wrong credentials count against the address that sent them. */
  #authenticate(
    head: AnswerHead,
    request: FastifyRequest,
    state: OrganizationState,
    header: string,
    client: string,
  ): Caller {
    try {
      return this.#credentials.viewer(state, header, client);
    } catch (error) {
      this.#countAddress(head, request);
      throw error;
    }
  }

  #countAddress(head: AnswerHead, request: FastifyRequest): void {
    if (this.#limiter) this.#note(head, this.#limiter.countAddress(request.ip));
  }

  #note(head: AnswerHead, rate: Rate): void {
    head.rate = rate;
    if (rate.remaining < 0) throw (this.#limiter as RateLimiter).refusal();
  }
}
