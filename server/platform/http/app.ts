import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { ApiError, errors } from "../../../api/errors.ts";
import { isApiError, securityHeaders } from "./answer.ts";
import { Api, type ApiOptions, MAX_URL_LENGTH } from "./api.ts";
import { MAX_BODY_BYTES, readBodies } from "./body.ts";
import { answerConnectionError } from "./connection-error.ts";
import { gracefulStop } from "./graceful-stop.ts";
import type { Route } from "./handler.ts";
import { InFlight } from "./in-flight.ts";
import { contentSecurityPolicy, html, sendPage } from "./page.ts";
import { answerInOrder } from "./pipelining.ts";
import { requestIds } from "./request-id.ts";
import { failureFacts, RequestLog } from "./request-log.ts";
import { addRoutes } from "./router.ts";
import { normalizeRequest } from "./tidy-request.ts";

export interface HttpOptions extends ApiOptions {
  /** All under /api/v1. */
  routes: readonly Route[];
  isDevelopment: boolean;
  log: Logger;
  /** What `/health` tells besides its status; throws when the server can't serve. */
  health(): Promise<Record<string, unknown>>;
  /** Registers what is not the API: pages, files. */
  plainPages(app: FastifyInstance): void;
  /** Shorter ones for tests. */
  timeouts?: Partial<typeof defaultTimeouts>;
  /** Addresses of proxies whose X-Forwarded-For is believed, as fastify's `trustProxy`; none by default. */
  trustedProxies?: string;
}

/** Room for the longest address and for headers beside it. */
const MAX_HEADER_BYTES = 2 * MAX_URL_LENGTH;
const MAX_PATH_PARAMETER = 4096;
/** When a connection is given up. How many requests one may carry has no limit: each costs the same on any connection. */
const defaultTimeouts = {
  /** A request's head must be here by then: thousands of half-open connections must not stay. */
  headMs: 15_000,
  /** All of a request must be here by then; a large file over a bad line takes minutes. */
  requestMs: 300_000,
  /** How often the two above are looked at. */
  checkMs: 5_000,
  /** Between an answer and the next request: more than the interval at which clients poll, heartbeats included. */
  keepAliveMs: 75_000,
  /** No byte has passed either way: a caller that is gone, or never reads its answer. Held polls are shorter than that. */
  silenceMs: 120_000,
};
const BACKLOG = 4096;

/** The server with all its routes, ready for `listen`. `close()` finishes what is under way (see stop.ts). */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const inFlight = new InFlight();
  const requestLog = new RequestLog(options.log);
  const api = new Api(options, inFlight, requestLog);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: requestIds(),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: options.trustedProxies ?? false,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionTimeout: timeouts.silenceMs,
    requestTimeout: timeouts.requestMs,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: normalizeRequest,
    clientErrorHandler: answerConnectionError,
    frameworkErrors: (error, request, reply) => {
      const declared = error.code === "FST_ERR_MAX_PARAM_LENGTH" ? errors.addressTooLong : errors.notFound;
      refuse(api, request, reply, new ApiError(declared));
    },
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    // No route has a schema of the framework's: without these it would load two compilers at the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // A request without a Host header is answered in JSON, too.
      requireHostHeader: false,
    },
  });
  // Whatever a client expects, it gets an answer.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  answerInOrder(app);
  readBodies(app);
  app.setNotFoundHandler((request, reply) => refuse(api, request, reply, notFound(request)));
  app.setErrorHandler((error, request, reply) => refuse(api, request, reply, declaredError(error), true));
  addRoutes(app, api, options.routes, options.isDevelopment);
  addHealth(app, inFlight, options);
  app.register(async (pages) => {
    countCalls(pages, inFlight);
    options.plainPages(pages);
  });
  gracefulStop(app, inFlight);
  await app.ready();
  return app;
}

function noSchemas(): never {
  throw new Error("the framework checks and writes nothing here");
}

/** Listens with a backlog that outlasts a moment in which everybody reconnects. Returns the address as a URL. */
export function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  return app.listen({ host, port, backlog: BACKLOG, listenTextResolver: (address) => address });
}

/** Everything under /api is answered in JSON, the rest for people. */
function refuse(
  api: Api,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  isLast = false,
): void {
  if (isApi(request)) api.refuse(request, reply, error, isLast);
  else refusePage(api, request, reply, error, isLast);
}

function refusePage(
  api: Api,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  isLast: boolean,
): void {
  const known = isApiError(error) ? error : api.requestLog.failure(error, request.id, "a page");
  const { status } = known.declaration;
  if (isLast) reply.header("Connection", "close");
  sendPage(reply, status, {
    title: `Error ${status}`,
    body: html`<h1>${status}</h1><p>${known.message}</p>`,
  });
}

function isApi({ raw }: FastifyRequest): boolean {
  const url = raw.url as string;
  return url.startsWith("/api/") || url.startsWith("/api?") || url === "/api";
}

function notFound({ raw }: FastifyRequest): ApiError {
  return new ApiError((raw.url as string).length > MAX_URL_LENGTH ? errors.addressTooLong : errors.notFound);
}

/** What the framework found wrong with a request is the caller's error; anything else stays what it is. */
function declaredError(error: unknown): unknown {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (isApiError(error) || typeof statusCode !== "number" || statusCode < 400 || statusCode >= 500)
    return error;
  return new ApiError(code === "FST_ERR_CTP_BODY_TOO_LARGE" ? errors.bodyTooLarge : errors.unreadableBody);
}

function addHealth(app: FastifyInstance, inFlight: InFlight, { health, log }: HttpOptions): void {
  app.route({
    method: ["GET", "HEAD"],
    url: "/health",
    handler: async (_request, reply) => {
      reply.headers({ ...securityHeaders, "Cache-Control": "no-store" });
      if (inFlight.isStopping) return reply.code(503).send({ status: "stopping" });
      try {
        return { status: "ok", ...(await health()) };
      } catch (error) {
        log.warn({ err: failureFacts(error) }, "the server is not healthy");
        return reply.code(503).send({ status: "unavailable" });
      }
    },
  });
}

/** Pages get the headers of all answers, and stopping waits for them as for calls. */
function countCalls(pages: FastifyInstance, inFlight: InFlight): void {
  pages.addHook("onRequest", (_request, reply, done) => {
    inFlight.calls++;
    reply.raw.once("close", () => inFlight.calls--);
    reply.headers({ ...securityHeaders, "Content-Security-Policy": contentSecurityPolicy() });
    done();
  });
}
