/**
 * Addresses of stored files outside of /api, for callers who may read them. A request takes the way of a
 * call: host, credentials, limits, handler. Only its response is a file. A refusal is an error of the API,
 * and a page for a person who opened the address in a browser.
 */
import type { FastifyInstance, HTTPMethods } from "fastify";
import type { Api } from "./api.ts";
import { MAX_ANONYMOUS_BODY_BYTES } from "./body.ts";
import type { Caller } from "./caller.ts";
import type { Call } from "./handler.ts";
import type { CallStats } from "./http-stats.ts";
import type { Operation } from "./operation.ts";
import { refuseByPage } from "./refused-file.ts";
import type { FileAnswer, FileRequest } from "./send-file.ts";
import { unreachable } from "./unreachable.ts";

/** What the handler of a file's address gets. */
export interface FileParameters {
  /** The parameters of the address, decoded once. */
  path: Readonly<Record<string, string>>;
  request: FileRequest;
}

// biome-ignore lint/suspicious/noExplicitAny: a list mixes routes, each of which `fileRouteFor` checked.
type Mixed = any;

export interface FileRoute<V = Mixed> {
  /** In the log and the statistics. */
  name: string;
  /** In the router's syntax. */
  url: string;
  /** `anyone`: the address itself says who may read. Credentials are ignored. */
  access: "anyone" | "spectator";
  answer(call: Call<FileParameters, V | undefined>): Promise<FileAnswer>;
}

/** Returns the function that checks a route. `V` is the type of the handlers' viewer. */
export function fileRouteFor<V extends Caller>() {
  return (route: FileRoute<V>): FileRoute => route;
}

/** `signInPath`: where people sign in. */
export function addFileRoutes(
  app: FastifyInstance,
  api: Api,
  routes: readonly FileRoute[],
  signInPath?: string,
): void {
  for (const route of routes) {
    const { url } = route;
    const stats = api.stats.callsOf(route.name);
    const methods: HTTPMethods[] = ["GET", "HEAD"];
    app.route({
      method: methods,
      url,
      onRequest: (request, reply) => {
        const { method, headers } = request;
        const operation = operationOf(route, { method, headers }, stats);
        const refuse = refuseByPage(request.raw, signInPath);
        api.serve(refuse ? { ...operation, refuse } : operation, request, reply);
      },
      handler: unreachable,
    });
    api.pathMethods.add(url, methods);
  }
}

function operationOf({ name, access, answer }: FileRoute, request: FileRequest, stats: CallStats): Operation {
  return {
    name,
    access,
    decoder: {
      decode: (path) => ({
        params: { path: { ...path }, request },
        unsupported: undefined,
        client: undefined,
      }),
    },
    handle: answer,
    isForWriteOnly: false,
    isForSecondStepSetup: false,
    holds: false,
    compresses: false,
    isStoredFile: true,
    files: undefined,
    isOff: false,
    outlivesOrganization: false,
    isCheckedAtCommit: false,
    changes: false,
    readsRawBody: false,
    streamsBody: false,
    takesKeyInQuery: false,
    takesBearer: false,
    takesCookie: true,
    startsSession: false,
    maxBodyBytes: MAX_ANONYMOUS_BODY_BYTES,
    stats,
  };
}
