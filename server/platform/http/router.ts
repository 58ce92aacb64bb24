import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import type { TSchema } from "typebox";
import type { Endpoint, Parameter } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { type Api, MAX_URL_LENGTH, type Serve } from "./api.ts";
import { WILDCARD } from "./decode.ts";
import type { Route } from "./handler.ts";
import { operationOf } from "./operation.ts";
import { NUMBER, type PathForm } from "./path-methods.ts";
import { unreachable } from "./unreachable.ts";

export const API_ROOT = "/api/v1";

/** Adds every route. */
export function addRoutes(
  app: FastifyInstance,
  api: Api,
  routes: readonly Route[],
  isDevelopment: boolean,
): void {
  const withTexts = new Set(
    routes
      .map((route) => route.endpoint)
      .filter(endsWithText)
      .map(placeOf),
  );
  for (const route of routes) {
    checkFiles(route.endpoint, api);
    const operation = operationOf(route, { isDevelopment, stats: api.stats, checkProof: api.checkProof });
    const path = urlPattern(route.endpoint, withTexts);
    const methods = methodsOf(route.endpoint);
    // The framework only routes. The API reads the body and writes the response itself.
    const serve: Serve = (request, reply) => {
      api.serve(operation, request, reply);
    };
    if (!route.redirects?.isOutsideApi) {
      api.pathMethods.add(API_ROOT + path, methods, serve);
      continue;
    }
    app.route({ method: methods, url: path, onRequest: serve, handler: unreachable });
    api.pathMethods.add(path, methods);
  }
  addApi(app, api);
}

/** One route of the framework for all of the API. */
function addApi(app: FastifyInstance, api: Api): void {
  app.route({
    method: app.supportedMethods as HTTPMethods[],
    url: `${API_ROOT}/${WILDCARD}`,
    onRequest: (request, reply) => {
      const { method, url } = request.raw;
      const found = api.pathMethods.match(method as string, url as string);
      if (!found) {
        api.refuse(request, reply, refusalAt(app, api, request) ?? notFound(request));
        return;
      }
      request.params = found.params;
      found.serve(request, reply);
    },
    handler: unreachable,
  });
}

/**
 * A HEAD is the GET of its address, of which Node's HTTP server sends the head alone. So it has the same
 * credentials, limits and headers. A response that is held has no head before there is something to send, and
 * its GET takes events from a queue.
 */
function methodsOf({ method, streams }: Endpoint): HTTPMethods[] {
  return method === "GET" && !streams ? ["GET", "HEAD"] : [method as HTTPMethods];
}

/** The head of a request alone must say who sends files, before any of them is written. */
function checkFiles({ name, access, files }: Endpoint, api: Api): void {
  if (!files) return;
  if (access === "anyone" || access === "spectator")
    throw new Error(`${name} takes files without an account`);
  if (!api.canReceive) throw new Error(`${name} takes files, and there is no storage for them`);
}

/**
 * Adds the refusals that the framework must know, after all that `api.pathMethods` has. As upstream, a fixed
 * path takes precedence over one with a parameter, whatever its methods are.
 */
export function refuseHiddenMethods(app: FastifyInstance, api: Api): void {
  for (const { form, hidden } of api.pathMethods.hiddenMethods()) {
    app.route({
      method: hidden as HTTPMethods[],
      url: form.url,
      onRequest: (request, reply) => {
        // A form that is more exact may have the path too, without a route for this method.
        api.refuse(request, reply, refusalAt(app, api, request) ?? notAllowed(form));
      },
      handler: unreachable,
    });
  }
}

type Refusal = ApiError | NotAllowed;
type NotAllowed = ApiError<{ allowed: string[] }>;

/** What a request gets for which there is no route, if its path has one with another method. */
export function refusalAt(app: FastifyInstance, api: Api, { raw }: FastifyRequest): Refusal | undefined {
  const method = raw.method as HTTPMethods;
  if (!app.supportedMethods.includes(method)) return undefined;
  const form = api.pathMethods.find(raw.url as string);
  if (form === "too long") return new ApiError(errors.addressTooLong);
  return form && !form.methods.has(method) ? notAllowed(form) : undefined;
}

/** What a request gets for which there is no path. */
export function notFound({ raw }: FastifyRequest): ApiError {
  return new ApiError((raw.url as string).length > MAX_URL_LENGTH ? errors.addressTooLong : errors.notFound);
}

function notAllowed({ methods }: PathForm): NotAllowed {
  return new ApiError(errors.methodNotAllowed, { allowed: [...methods].sort() });
}

/**
 * `/messages/{message_id}` in the router's syntax. A last parameter with slashes takes the rest of the path.
 * `withTexts`: where an endpoint of the same method ends with a text. There a number goes to the one that
 * takes a number.
 */
function urlPattern(endpoint: Endpoint, withTexts: ReadonlySet<string>): string {
  const { path, parameters } = endpoint;
  const pattern = path.replace(/\{(\w+)\}(\/?)/g, (_, name: string, slash: string) => {
    const schema = parameters[name]?.schema as (TSchema & { slashes?: boolean }) | undefined;
    return schema?.slashes && slash === "" ? WILDCARD : `:${name}${slash}`;
  });
  const isNumber = withTexts.has(placeOf(endpoint)) && lastParameter(endpoint)?.encoding === "json";
  return pattern + (isNumber ? NUMBER : "");
}

function endsWithText(endpoint: Endpoint): boolean {
  return lastParameter(endpoint)?.encoding === "text";
}

/** The parameter that is the last part of the path, if that is one. */
function lastParameter({ path, parameters }: Endpoint): Parameter | undefined {
  return parameters[/\/\{(\w+)\}$/.exec(path)?.[1] ?? ""];
}

function placeOf({ method, path }: Endpoint): string {
  return `${method} ${path.slice(0, path.lastIndexOf("/"))}`;
}
