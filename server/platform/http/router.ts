import type { FastifyInstance, HTTPMethods } from "fastify";
import type { TSchema } from "typebox";
import type { Endpoint, Parameter } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { Api } from "./api.ts";
import { WILDCARD } from "./decode.ts";
import type { Route } from "./handler.ts";
import { operationOf } from "./operation.ts";

export const API_ROOT = "/api/v1";

/** Limits a parameter in the router's syntax. */
const NUMBER = "(^\\d+$)";

interface Shape {
  url: string;
  methods: Set<string>;
}

/** Adds every route. Also adds, for each path, the response to methods that it does not support. */
export function addRoutes(
  app: FastifyInstance,
  api: Api,
  routes: readonly Route[],
  isDevelopment: boolean,
): void {
  const shapes = new Map<string, Shape>();
  const withTexts = new Set(
    routes
      .map((route) => route.endpoint)
      .filter(endsWithText)
      .map(placeOf),
  );
  for (const route of routes) {
    checkFiles(route.endpoint, api);
    const operation = operationOf(route, isDevelopment, api.stats);
    const url = (route.redirects?.isOutsideApi ? "" : API_ROOT) + urlPattern(route.endpoint, withTexts);
    app.route({
      method: route.endpoint.method as HTTPMethods,
      url,
      // The framework only routes. The API reads the body and writes the response itself.
      onRequest: (request, reply) => {
        api.serve(operation, request, reply);
      },
      handler: unreachable,
    });
    // Two methods of one path may use different names for its parameters. A path that takes only a number has
    // another beside it that takes the rest.
    const anyUrl = url.replace(NUMBER, "");
    const shape = anyUrl.replace(/:\w+/g, ":");
    const known = shapes.get(shape);
    if (known) known.methods.add(route.endpoint.method);
    else shapes.set(shape, { url: anyUrl, methods: new Set([route.endpoint.method]) });
  }
  for (const shape of shapes.values()) refuseOtherMethods(app, api, shape);
}

/** The head of a request alone must say who sends files, before any of them is written. */
function checkFiles({ name, access, files }: Endpoint, api: Api): void {
  if (!files) return;
  if (access === "anyone" || access === "spectator")
    throw new Error(`${name} takes files without an account`);
  if (!api.canReceive) throw new Error(`${name} takes files, and there is no storage for them`);
}

export function unreachable(): never {
  throw new Error("the framework handled a call that the API should have answered");
}

/** As upstream, a fixed path (`/messages/flags`) here too takes precedence over one with a parameter. */
export function refuseOtherMethods(app: FastifyInstance, api: Api, { url, methods }: Shape): void {
  const allowed = [...methods].sort();
  app.route({
    method: app.supportedMethods.filter((method) => !methods.has(method)) as HTTPMethods[],
    url,
    onRequest: (request, reply) => {
      api.refuse(request, reply, new ApiError(errors.methodNotAllowed, { allowed }));
    },
    handler: unreachable,
  });
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
