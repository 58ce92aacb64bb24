/**
 * The path of a call: host → organization → memory is current → viewer → limits → body →
 * parameters → handler → response.
 *
 * All before the body comes from the request's head, so a caller who is refused costs no parsing.
 *
 * Everything but the handler is synchronous once the organization is in memory, and the response is written
 * directly to the socket. Fastify only routes calls. A thrown error becomes the response that api/errors.ts
 * declares, or a plain 500 that is logged once.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FileLimits } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { type AnswerHead, isApiError, writeError } from "./answer.ts";
import type { ArrivingBodies } from "./arriving-bodies.ts";
import { type Body, MAX_ANONYMOUS_BODY_BYTES, NO_BODY, readBody } from "./body.ts";
import { BodyStream } from "./body-stream.ts";
import type { Caller, OwnCall } from "./caller.ts";
import {
  type Arrival,
  Callers,
  type CallersOptions,
  hasCredentials,
  hasSession,
  programOf,
} from "./callers.ts";
import { normalizeClientName } from "./client-name.ts";
import type { RateLimitPeers } from "./counter-sync.ts";
import { Exchange } from "./exchange.ts";
import type { Fields } from "./form.ts";
import type { ForwardedHosts } from "./forwarded-hosts.ts";
import { type Host, Hosts } from "./host.ts";
import type { HttpStats } from "./http-stats.ts";
import type { InFlight } from "./in-flight.ts";
import { checkRole, type Operation } from "./operation.ts";
import { PathMethods } from "./path-methods.ts";
import type { CheckProof } from "./proof.ts";
import { networkOf, type Rate, RateLimiter, type RateLimits } from "./rate-limit.ts";
import { parametersOf, RawBody } from "./raw-body.ts";
import {
  mayHoldFiles,
  type ReceivedFile,
  type ReceivedForm,
  type ReceivingOptions,
  receiveFiles,
} from "./received-files.ts";
import { type ReceivingLimits, ReceivingRequests } from "./receiving-limits.ts";
import type { RequestLog } from "./request-log.ts";
import { checkTarget } from "./request-target.ts";
import { SessionCookie } from "./session-cookie.ts";

export interface ApiOptions extends CallersOptions {
  /** The loaded organization of a host name (without port, in lower case). undefined: unknown host. */
  stateOf(host: string): Promise<OrganizationState | undefined> | OrganizationState | undefined;
  /**
   * Resolves when memory is not older than the call. undefined: it can't be. `isDoubted`: memory refused the
   * caller, and a program that announces itself to nobody, such as a command, may have changed the log.
   */
  catchUp?(state: OrganizationState, isDoubted: boolean): Promise<void> | undefined;
  /** undefined: no limits. */
  rateLimits: RateLimits | undefined;
  /** Called with each API key that is no account's, and the IP address that it came from. */
  noteWrongKey?(state: OrganizationState, address: string): void;
  /** The other processes that count calls for the same limits. */
  peers?: RateLimitPeers | undefined;
  /** The URL under which people reach the server. undefined: the host that the request names. */
  publicUrl: string | undefined;
  /** Where received files lie until the response is sent. Endpoints with files need it. */
  files?: Pick<FileStorage, "temporaryPath">;
  /** The caller of one call alone, with what that call adds. Called for each call that changes something. */
  callerOf(caller: Caller, call: OwnCall): Caller;
  /** Asks for the fresh proof that a call declares. Endpoints with one need it. */
  checkProof?: CheckProof;
  /** Smaller limits for tests. */
  receivingLimits?: ReceivingLimits | undefined;
}

/**
 * Longer URLs are refused. The connection's parser accepts more, so that the refusal can be a JSON response.
 */
export const MAX_URL_LENGTH = 16 * 1024;

/** A page shows as many pictures as there are people and emoji on it, and an office shares an address. */
const FILE_REQUESTS = 20;
const NO_FILES: readonly ReceivedFile[] = [];

/** A request whose caller may call, once its body is read. */
interface Entered {
  arrival: Arrival;
  state: OrganizationState;
  client: string;
  caller: Caller | undefined;
}

/** Serves a request of the API. */
export type Serve = (request: FastifyRequest, reply: FastifyReply) => void;

type ReadBody = Exclude<Body, { error: unknown }>;

export class Api {
  readonly inFlight: InFlight;
  readonly requestLog: RequestLog;
  readonly arriving: ArrivingBodies;
  readonly stats: HttpStats;
  /** What each path of the API supports. Routes of the API, and of files, are added here too. */
  readonly pathMethods = new PathMethods<Serve>();
  readonly #options: ApiOptions;
  readonly #hosts: Hosts;
  readonly #forwardedHosts: ForwardedHosts;
  readonly #callers: Callers;
  readonly #limiter: RateLimiter | undefined;
  readonly #receiving: ReceivingRequests;
  /** Counts requests for stored files. */
  readonly #fileLimiter: RateLimiter | undefined;

  constructor(
    options: ApiOptions,
    parts: {
      inFlight: InFlight;
      requestLog: RequestLog;
      arriving: ArrivingBodies;
      stats: HttpStats;
      forwardedHosts: ForwardedHosts;
    },
  ) {
    this.inFlight = parts.inFlight;
    this.requestLog = parts.requestLog;
    this.arriving = parts.arriving;
    this.stats = parts.stats;
    this.#options = options;
    this.#forwardedHosts = parts.forwardedHosts;
    this.#hosts = new Hosts(options.publicUrl);
    this.#callers = new Callers(options);
    this.#limiter = options.rateLimits && new RateLimiter(options.rateLimits, Date.now, options.peers);
    this.#fileLimiter = options.rateLimits && new RateLimiter(fileLimitsOf(options.rateLimits));
    this.#receiving = new ReceivingRequests(options.receivingLimits);
  }

  /** Whether endpoints can take files. */
  get canReceive(): boolean {
    return this.#options.files !== undefined;
  }

  get checkProof(): CheckProof | undefined {
    return this.#options.checkProof;
  }

  /** Answers one call, at once or later. Never throws. */
  serve(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    const exchange = new Exchange(operation, request, reply.raw, this.inFlight, this.requestLog);
    try {
      if ((request.raw.url as string).length > MAX_URL_LENGTH) throw new ApiError(errors.addressTooLong);
      checkTarget(request.raw);
      const host = this.#hosts.read(request.headers.host);
      // Before the look-up, which may be a query.
      if (!host.isServed) this.#countAddress(exchange.head, request, operation);
      const isNameless = host.name === "" || this.#forwardedHosts.isHidden(request.raw, host);
      const state = isNameless ? undefined : this.#options.stateOf(host.name);
      if (state instanceof Promise) this.#enterLater(exchange, request, host, state);
      else this.#enter(exchange, request, host, state);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** Counts a request for a page. Throws if its sender is over the limit, or it names two hosts. */
  checkPageRequest(request: FastifyRequest): void {
    checkTarget(request.raw);
    const { isStatic, isStoredFile } = request.routeOptions.config;
    if (isStatic) return;
    const limiter = isStoredFile ? this.#fileLimiter : this.#limiter;
    if (limiter && limiter.countAddress(request.ip).remaining < 0) throw limiter.refusal();
  }

  /** Answers a request that reaches no endpoint. */
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    if (!reply.sent) reply.hijack();
    const head: AnswerHead = {
      requestId: request.id,
      rate: undefined,
      isLast: this.inFlight.isStopping,
    };
    let answered = error;
    try {
      checkTarget(request.raw);
      this.#countAddress(head, request);
    } catch (refusal) {
      answered = refusal;
    }
    const known = isApiError(answered) ? answered : this.requestLog.failure(answered, request.id, "none");
    const { status } = known.declaration;
    this.stats.unknown.count(status, undefined);
    this.stats.countError(status);
    if (this.requestLog.claim(request)) {
      this.requestLog.line("none", { requestId: request.id, request }, status, 0);
    }
    writeError(reply.raw, known, head);
  }

  async #enterLater(
    exchange: Exchange,
    request: FastifyRequest,
    host: Host,
    loading: Promise<OrganizationState | undefined>,
  ): Promise<void> {
    try {
      this.#enter(exchange, request, host, await loading);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** Another node may have changed the organization a moment ago, so memory is brought up to date first. */
  #enter(
    exchange: Exchange,
    request: FastifyRequest,
    host: Host,
    state: OrganizationState | undefined,
  ): void {
    if (!state) {
      this.#forwardedHosts.note(request.raw, host);
      throw new ApiError(errors.unknownHost, { host: host.name });
    }
    host.isServed = true;
    const { isCheckedAtCommit } = exchange.operation;
    const behind = isCheckedAtCommit ? undefined : this.#options.catchUp?.(state, false);
    if (behind) {
      behind
        .then(() => this.#enterNow(exchange, request, host, state, true))
        .catch((error) => exchange.fail(error));
    } else {
      this.#enterNow(exchange, request, host, state, false);
    }
  }

  /**
   * What the head alone decides. Then the body is read, so a caller who is refused costs little. `isCurrent`:
   * memory was brought up to date for this call.
   */
  #enterNow(
    exchange: Exchange,
    request: FastifyRequest,
    host: Host,
    state: OrganizationState,
    isCurrent: boolean,
  ): void {
    const cookie = new SessionCookie(request.headers, host.origin);
    exchange.head.cookie = cookie;
    exchange.organizationId = state.organizationId;
    const arrival = { operation: exchange.operation, request, host, cookie };
    const client = programOf(arrival);
    let caller: Caller | undefined;
    try {
      caller = this.#checkCaller(exchange, arrival, state, client);
    } catch (error) {
      const confirmed = isCurrent || isOverLimit(error) ? undefined : this.#options.catchUp?.(state, true);
      if (!confirmed) throw this.#noted(error, state, request);
      const { position } = state;
      confirmed
        .then(() => {
          if (state.position === position) throw this.#noted(error, state, request);
          this.#enterNow(exchange, request, host, state, true);
        })
        .catch((refused) => exchange.fail(refused));
      return;
    }
    const { maxBodyBytes, readsRawBody } = exchange.operation;
    const options = {
      limit: caller ? maxBodyBytes : MAX_ANONYMOUS_BODY_BYTES,
      isRaw: readsRawBody,
    };
    let isLate = false;
    const enter = (body: Body | ReceivedForm): void => {
      try {
        if ("error" in body) throw body.error;
        // The caller may have lost access while the body arrived.
        const present = isLate && caller ? this.#identifyAgain(arrival, state, client) : caller;
        this.#call(exchange, { arrival, state, client, caller: present }, body);
      } catch (error) {
        exchange.fail(error);
      }
    };
    const checkSender = (): void => void this.#identifyAgain(arrival, state, client);
    if (caller && exchange.operation.streamsBody) {
      const release = this.#receivingPlace(request, caller);
      exchange.stream = new BodyStream(request.raw, this.arriving, { release, checkSender });
      enter(NO_BODY);
    } else if (caller && exchange.operation.files && mayHoldFiles(request)) {
      const release = this.#receivingPlace(request, caller);
      this.#receive(exchange, request, { release, checkSender }, enter);
    } else {
      readBody(request, options, this.arriving, enter);
    }
    isLate = true;
  }

  /** Receives a form with files. Only callers who may call get here. */
  #receive(
    exchange: Exchange,
    request: FastifyRequest,
    { release, checkSender }: Pick<ReceivingOptions, "release" | "checkSender">,
    enter: (body: Body | ReceivedForm) => void,
  ): void {
    const options = {
      limits: exchange.operation.files as FileLimits,
      storage: this.#options.files as NonNullable<ApiOptions["files"]>,
      arriving: this.arriving,
      release,
      checkSender,
    };
    receiveFiles(request, options, (form) => {
      if (!("error" in form)) exchange.received = form;
      enter(form);
    });
  }

  /** Throws if the caller, the network or all together send too much at once. */
  #receivingPlace({ ip }: FastifyRequest, { state, user }: Caller): () => void {
    return this.#receiving.begin(`${state.organizationId}:${user.id}`, networkOf(ip));
  }

  #call(exchange: Exchange, { arrival, state, client, caller }: Entered, { fields, bytes }: ReadBody): void {
    const { request, host, cookie } = arrival;
    const rawBody = bytes && new RawBody(bytes, fields, request.raw.headers);
    const decoded = exchange.operation.decoder.decode(
      request.params as Fields | undefined,
      request.query as Fields | undefined,
      rawBody ? parametersOf(rawBody) : fields,
    );
    exchange.unsupported = decoded.unsupported;
    const named = decoded.client === undefined ? client : normalizeClientName(decoded.client);
    const address = request.ip;
    // All requests with the same credentials share a caller.
    const isShared = !exchange.operation.changes && named === client;
    const renewSession = hasSession(arrival) ? (token: string) => cookie.renew(token) : undefined;
    const { callerOf } = this.#options;
    exchange.run({
      state,
      viewer: caller && !isShared ? callerOf(caller, { client: named, address, renewSession }) : caller,
      params: decoded.params,
      address,
      client: named,
      userAgent: request.headers["user-agent"],
      baseUrl: host.baseUrl,
      rawBody,
      files: exchange.received?.files ?? NO_FILES,
      cookie,
      stream: exchange.stream,
    });
  }

  /** Counts and identifies the caller. Throws if the caller is over the rate limit or may not call. */
  #checkCaller(
    exchange: Exchange,
    arrival: Arrival,
    state: OrganizationState,
    client: string,
  ): Caller | undefined {
    const { operation, head } = exchange;
    const { request } = arrival;
    if (!hasCredentials(arrival)) {
      this.#countAddress(head, request, operation);
      return this.#callers.identify(arrival, state, client);
    }
    let caller: Caller | undefined;
    try {
      caller = this.#callers.identify(arrival, state, client);
    } catch (error) {
      // Wrong credentials count against the address that sent them.
      this.#countAddress(head, request);
      throw error;
    }
    if (!caller) return undefined;
    const limiter = this.#limiterOf(operation);
    const { user } = caller;
    exchange.userId = user.id;
    if (limiter) this.#note(head, limiter, limiter.countUser(state.organizationId, user.id, user.botOwnerId));
    checkRole(operation.access, caller);
    return caller;
  }

  /** The error itself. A wrong API key is noted. */
  #noted(error: unknown, state: OrganizationState, { ip }: FastifyRequest): unknown {
    if (isWrongKey(error)) this.#options.noteWrongKey?.(state, ip);
    return error;
  }

  #identifyAgain(arrival: Arrival, state: OrganizationState, client: string): Caller | undefined {
    const caller = this.#callers.identify(arrival, state, client);
    if (caller) checkRole(arrival.operation.access, caller);
    return caller;
  }

  /** Counts a request once, even if there are two reasons to. */
  #countAddress(head: AnswerHead, request: FastifyRequest, operation?: Operation): void {
    const limiter = this.#limiterOf(operation);
    if (limiter && !head.rate) this.#note(head, limiter, limiter.countAddress(request.ip));
  }

  #limiterOf(operation: Operation | undefined): RateLimiter | undefined {
    return operation?.isStoredFile ? this.#fileLimiter : this.#limiter;
  }

  #note(head: AnswerHead, limiter: RateLimiter, rate: Rate): void {
    head.rate = rate;
    if (rate.remaining < 0) throw limiter.refusal(rate);
  }
}

function fileLimitsOf({ windowSeconds, perUser, perAddress }: RateLimits): RateLimits {
  return {
    windowSeconds,
    perUser: FILE_REQUESTS * perUser,
    perAddress: FILE_REQUESTS * perAddress,
  };
}

function isWrongKey(error: unknown): boolean {
  const { invalidApiKey, malformedApiKey } = errors;
  return isApiError(error) && [invalidApiKey.name, malformedApiKey.name].includes(error.declaration.name);
}

function isOverLimit(error: unknown): boolean {
  return isApiError(error) && error.declaration.status === errors.rateLimitHit.status;
}
