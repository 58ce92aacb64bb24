import { randomBytes } from "node:crypto";
import type { Server } from "node:net";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawRequestDefaultExpression,
} from "fastify";
import type { Logger } from "pino";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ServedCertificate } from "../tls/served-certificate.ts";
import { isApiError, isolationHeaders, retryAfterOf, securityHeaders } from "./answer.ts";
import { Api, type ApiOptions, MAX_URL_LENGTH } from "./api.ts";
import { ArrivingBodies, type BodyLimits, defaultBodyLimits } from "./arriving-bodies.ts";
import { normalizeContentType, readBodies } from "./body.ts";
import { commonText } from "./common-texts.ts";
import { answerConnectionError } from "./connection-error.ts";
import { type ConnectionLimit, limitConnections } from "./connection-limit.ts";
import { problemText } from "./error-texts.ts";
import { addFileRoutes, type FileRoute } from "./file-routes.ts";
import { ForwardedHosts } from "./forwarded-hosts.ts";
import { gracefulStop } from "./graceful-stop.ts";
import type { Route } from "./handler.ts";
import { addHealthRoutes, type HealthOptions } from "./health-routes.ts";
import { HttpStats } from "./http-stats.ts";
import { protocolOptions, serveNewCertificates } from "./https.ts";
import { InFlight } from "./in-flight.ts";
import { addMcp, type OpenMcpServer } from "./mcp.ts";
import { messagePage } from "./message-page.ts";
import { contentSecurityPolicy, html, sendPage } from "./page.ts";
import { addPages, type PageOptions } from "./page-routes.ts";
import { MAX_PATH_PARAMETER } from "./path-methods.ts";
import { answerInOrder } from "./pipelining.ts";
import { ProxyFaults } from "./proxy-faults.ts";
import { RequestLog } from "./request-log.ts";
import { pathOf } from "./request-target.ts";
import { API_ROOT, addRoutes, notFound, refusalAt, refuseHiddenMethods } from "./router.ts";
import { TrustedProxies } from "./trusted-proxies.ts";
import { addTus, type ResumableUploads } from "./tus.ts";
import { UnnamedProxies } from "./unnamed-proxies.ts";

export interface HttpOptions
  extends ApiOptions,
    Pick<PageOptions, "pages" | "pageVisitors">,
    Pick<HealthOptions, "whyNotReady" | "keyring"> {
  /** All under /api/v1. */
  routes: readonly Route[];
  /** Addresses of files that some callers may read and others may not. */
  fileRoutes?: readonly FileRoute[];
  /** What serves assistants at `/mcp`. undefined: nothing is there. */
  mcp?: OpenMcpServer | undefined;
  /** What receives files in several requests. undefined: nothing does. */
  resumableUploads?: ResumableUploads;
  isDevelopment: boolean;
  log: Logger;
  /** Shorter timeouts for tests. */
  timeouts?: Partial<typeof defaultTimeouts>;
  /** Smaller limits for tests. */
  bodyLimits?: Partial<BodyLimits>;
  /** A smaller one for tests. */
  connectionLimit?: ConnectionLimit;
  /** Where the server counts. By default nobody reads it. */
  stats?: HttpStats | undefined;
  /** What to speak https with. By default the server speaks http. */
  certificate?: ServedCertificate | undefined;
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed. None by default. */
  trustedProxies?: readonly string[];
  /** One of so many requests has a line in the log. 0: none, which is the default. */
  logRequests?: number | undefined;
}

/** Enough for the longest URL and for the headers. */
const MAX_HEADER_BYTES = 2 * MAX_URL_LENGTH;
/**
 * When a connection is closed. It may carry any number of requests: each costs the same on any connection.
 */
const defaultTimeouts = {
  /** For the head of a request, so that thousands of half-open connections do not stay. */
  headMs: 15_000,
  /** For a whole request. A large file over a bad line takes minutes. */
  requestMs: 300_000,
  /** How often the two timeouts above are checked. */
  checkMs: 5_000,
  /** Between a response and the next request. Clients poll more often than that, heartbeats included. */
  keepAliveMs: 75_000,
  /**
   * Without a byte in either direction, as when a client never reads its response. Held polls end earlier.
   */
  silenceMs: 120_000,
};
const BACKLOG = 4096;
/** Further ones are closed at once. A held poll takes some 10 kB. */
const MAX_CONNECTIONS = 20_000;

/**
 * The server with its routes, ready for `listen`. `close()` finishes calls under way (see graceful-stop.ts).
 */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { stats = new HttpStats() } = options;
  const inFlight = new InFlight();
  const requestLog = new RequestLog(options.log, stats, options.logRequests);
  const arriving = new ArrivingBodies({ ...defaultBodyLimits, ...options.bodyLimits });
  const { publicUrl, log, trustedProxies } = options;
  const hasProxies = trustedProxies !== undefined && trustedProxies.length > 0;
  const forwardedHosts = new ForwardedHosts({ publicUrl, hasProxies, log });
  const api = new Api(options, { inFlight, requestLog, arriving, stats, forwardedHosts });
  const faults = hasProxies && publicUrl !== undefined ? new ProxyFaults({ publicUrl, log }) : undefined;
  if (faults) inFlight.onCutPoll = (lastedMs) => faults.noteCut(lastedMs);
  const proxies = hasProxies ? new TrustedProxies(trustedProxies, faults) : undefined;
  const unnamed = new UnnamedProxies({ publicUrl, proxies, log });
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const protocol = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeouts.headMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // A request without a Host header also gets a JSON response.
    requireHostHeader: false,
    // Otherwise the first of two Host headers would count, and the second be ignored.
    joinDuplicateHeaders: true,
  };
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: requestIds(),
    // The header is settled before the framework reads it.
    trustProxy: proxies !== undefined,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionTimeout: timeouts.silenceMs,
    requestTimeout: timeouts.requestMs,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: (raw) => {
      unnamed.look(raw);
      return normalizeRequest(raw, proxies);
    },
    clientErrorHandler: answerConnectionError,
    frameworkErrors: (error, request, reply) => {
      const declared = error.code === "FST_ERR_MAX_PARAM_LENGTH" ? errors.addressTooLong : errors.notFound;
      refuse(api, request, reply, new ApiError(declared));
    },
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    // No route has a schema for the framework. Without these stubs it would load two compilers at the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    ...protocolOptions(protocol, options.certificate, timeouts.headMs),
  });
  serveNewCertificates(app.server, options.certificate);
  // A request with an unknown `Expect` header is answered like others.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  answerInOrder(app);
  app.server.maxConnections = MAX_CONNECTIONS;
  limitConnections(app.server, options.log, proxies, options.connectionLimit);
  readBodies(app, arriving);
  app.addHook("onClose", async () => arriving.close());
  app.setNotFoundHandler((request, reply) => refuse(api, request, reply, notFound(request)));
  // The framework would read the body first. Calls of the API do not get this far.
  app.addHook("preParsing", (request, reply, _payload, done) => {
    if (!request.is404) return done();
    const refusal = refusalAt(app, api, request);
    if (refusal?.declaration === errors.methodNotAllowed) api.refuse(request, reply, refusal);
    else if (refusal) refuse(api, request, reply, refusal);
    else if (isApi(request)) api.refuse(request, reply, notFound(request));
    else if (allowsPage(api, request, reply)) refusePage(api, request, reply, notFound(request));
  });
  app.setErrorHandler((error, request, reply) => refuse(api, request, reply, declaredError(error)));
  if (requestLog.hasLines) {
    app.addHook("onResponse", async (request, reply) =>
      requestLog.answered(request, reply.statusCode, reply.elapsedTime),
    );
  }
  addRoutes(app, api, options.routes, options.isDevelopment);
  addFileRoutes(app, api, options.fileRoutes ?? [], options.pageVisitors?.signInPath);
  if (options.mcp) addMcp(app, api, options.mcp);
  if (options.resumableUploads) addTus(app, api, options.resumableUploads);
  refuseHiddenMethods(app, api);
  addHealthRoutes(app, inFlight, stats, options);
  app.register(async (pages) => {
    preparePages(pages, api);
    addPages(pages, options, forwardedHosts);
  });
  gracefulStop(app, inFlight);
  await app.ready();
  stats.gauges = async () => ({
    heldPolls: inFlight.longPolls.size,
    connections: await countConnections(app.server),
    arrivingBytes: arriving.bytes,
  });
  return app;
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** Ids that differ between starts and nodes: a random prefix and a counter. A client's own id is ignored. */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString("hex");
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}

const DOUBLED_SLASH = `${API_ROOT}//`;

/** Repairs requests that some clients send and the router can't handle. Returns the URL to route by. */
function normalizeRequest(raw: RawRequestDefaultExpression, proxies: TrustedProxies | undefined): string {
  const url = pathOf(raw);
  proxies?.settle(raw);
  normalizeContentType(raw);
  // COMPAT: zulip-terminal writes some paths with a doubled slash.
  return url.startsWith(DOUBLED_SLASH) ? API_ROOT + url.slice(API_ROOT.length).replace(/^\/+/, "/") : url;
}

function noSchemas(): never {
  throw new Error("the framework must not validate or serialize anything here");
}

/**
 * Listens with a backlog that is enough when all clients reconnect at once. Returns the address as a URL.
 * `descriptor`: a socket that is open already, and takes the place of host and port.
 */
export function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  descriptor?: number,
): Promise<string> {
  const place = descriptor === undefined ? { host, port } : { host, port, fd: descriptor };
  return app.listen({ ...place, backlog: BACKLOG, listenTextResolver: (address) => address });
}

/** Errors under /api are JSON. All others are pages for people. */
function refuse(api: Api, request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  if (isApi(request)) api.refuse(request, reply, error);
  else refusePage(api, request, reply, error);
}

function refusePage(api: Api, request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const known = isApiError(error) ? error : api.requestLog.failure(error, request.id, "a page");
  const { status } = known.declaration;
  api.stats.countError(status);
  const retryAfter = retryAfterOf(known);
  if (retryAfter !== undefined) reply.header("Retry-After", retryAfter);
  const isMissing = known.declaration === errors.notFound;
  const heading = isMissing ? commonText("missing.heading") : commonText("error.heading", { status });
  const text = isMissing ? commonText("missing.text") : problemText(known);
  const start = html`<p><a href="/">${commonText("startPage")}</a></p>`;
  sendPage(reply, status, messagePage(heading, html`<p>${text}</p>\n${start}`));
}

function isApi({ raw }: FastifyRequest): boolean {
  const url = raw.url as string;
  return url.startsWith("/api/") || url.startsWith("/api?") || url === "/api";
}

/** A 4xx error of the framework becomes the declared error for the client. Other errors stay as they are. */
function declaredError(error: unknown): unknown {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (isApiError(error) || typeof statusCode !== "number" || statusCode < 400 || statusCode >= 500)
    return error;
  return new ApiError(code === "FST_ERR_CTP_BODY_TOO_LARGE" ? errors.bodyTooLarge : errors.unreadableBody);
}

/** Pages get the common headers and count against the address, and a stop waits for them as for calls. */
function preparePages(pages: FastifyInstance, api: Api): void {
  const { inFlight } = api;
  pages.addHook("onRequest", (request, reply, done) => {
    inFlight.calls++;
    reply.raw.once("close", () => inFlight.calls--);
    reply.headers({ ...securityHeaders, ...isolationHeaders });
    reply.header("Content-Security-Policy", contentSecurityPolicy());
    if (allowsPage(api, request, reply)) done();
  });
}

/** Returns false if the request was refused. */
function allowsPage(api: Api, request: FastifyRequest, reply: FastifyReply): boolean {
  try {
    api.checkPageRequest(request);
    return true;
  } catch (error) {
    refusePage(api, request, reply, error);
    return false;
  }
}
