/**
 * A server in memory with two organizations and a small cast, each with one trait. The cast is created once
 * in a run, in a fixed order and by the verbs that requests use, so ids are fixed. Each harness has its own
 * copy of that database.
 */

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance, InjectOptions } from "fastify";
import pino from "pino";
import type { Endpoint } from "../../api/endpoint.ts";
import type { ChannelId, UserId } from "../../api/ids.ts";
import { endpoints } from "../../api/index.ts";
import { createServer, openServices } from "../../server/app.ts";
import { type Channel, channels } from "../../server/channels/channel.ts";
import { createChannel } from "../../server/channels/create/create.ts";
import { subscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { readConfig } from "../../server/config.ts";
import { apiKeys } from "../../server/people/api-keys.ts";
import { readApiKey } from "../../server/people/credentials.ts";
import { type User, users } from "../../server/people/user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import type { Connection, DatabaseOptions } from "../../server/platform/db/database.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import type { Services } from "../../server/services.ts";
import { type CastName, createCast, findCast, HOST, hostOf, type Member, OTHER_HOST } from "./cast.ts";
import { watchCall, watchServer } from "./caused-events.ts";
import { ownPageHeaders } from "./own-page-headers.ts";
import { createFilledDatabase } from "./postgres.ts";
import { withCastPassword } from "./proofs.ts";
import { validateReply } from "./validate-reply.ts";

export { type CastName, HOST, OTHER_HOST };

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each answer is checked against its declaration first.
  body: any;
  headers: Record<string, unknown>;
}

type Params = Record<string, unknown>;
type Headers = Record<string, string>;

/** A connection costs more than a copy of the database, and a test seldom has many statements at a time. */
export const fewConnections: DatabaseOptions = { pipelines: 1, sharesConnections: true };
/** As a server has them, for a test in which its own connections matter: races, and what verbs cost. */
export const serverConnections: DatabaseOptions = {};

/** Calls the API as somebody; every answer is checked against the contract. */
export interface Caller {
  get(path: string, params?: Params): Promise<Answer>;
  post(path: string, params?: Params): Promise<Answer>;
  patch(path: string, params?: Params): Promise<Answer>;
  put(path: string, params?: Params): Promise<Answer>;
  delete(path: string, params?: Params): Promise<Answer>;
}

export interface Harness {
  services: Services;
  app: FastifyInstance;
  /** To its database, for another server on it. */
  connection: Connection;
  /** The cast's organization. */
  state: OrganizationState;
  /** zed's. */
  otherState: OrganizationState;
  /**
   * By the API key, and with the password where the declaration of a call asks for it. `byKeyAlone`: never.
   * `byFirstKey`: with the key that the account began with, also after it has got another.
   */
  as(name: CastName, options?: { client?: string; byKeyAlone?: boolean; byFirstKey?: boolean }): Caller;
  /** `address` is the caller's; by default the loopback address. */
  nobody(host?: string, options?: { address?: string }): Caller;
  user(name: CastName): { user: User; viewer: Viewer; id: UserId; email: string; apiKey: string };
  /** The id of a channel of the cast's organization. */
  channelId(name: string): ChannelId;
  /** Creates a channel as ada and subscribes the named. */
  channel(name: string, subscribed: CastName[], options?: Params): Promise<Channel>;
  close(): Promise<void>;
}

/**
 * `environment` adds to the variables that the server reads. A file makes one server in `beforeAll`, unless
 * its tests change the same people or the organization.
 */
export async function createHarness(
  environment: Record<string, string> = {},
  databaseOptions: DatabaseOptions = fewConnections,
): Promise<Harness> {
  // Nothing is created there before the first file.
  const filesDir = join(tmpdir(), `parley-files-${randomUUID()}`);
  const config = readConfig({
    PARLEY_ENV: "development",
    PARLEY_WEB_PUBLIC_STREAMS: "on",
    PARLEY_LOG: "silent",
    PARLEY_FILES: filesDir,
    // Otherwise a server in production mode makes one in the data directory of the checkout.
    ...(environment.PARLEY_ENV === "production" && { PARLEY_SECRET: "a secret for the tests" }),
    ...environment,
  });
  const database = await createFilledDatabase(`cast ${JSON.stringify(environment)}`, (connection) =>
    createCast(config, connection),
  );
  const log = pino({ level: "silent" });
  const services = await openServices(config, log, database.connection, undefined, databaseOptions);
  const app = await createServer(services);
  watchServer(app, services.database);
  const state = (await services.organizations.byHost(HOST)) as OrganizationState;
  const otherState = (await services.organizations.byHost(OTHER_HOST)) as OrganizationState;
  const members = await findCast(services, (name) => (hostOf(name) === HOST ? state : otherState));

  const person = (name: CastName) => {
    const { state: home, id, apiKey } = members.get(name) as Member;
    const user = home.get(users).find(id) as User;
    const viewer = { state: home, user, client: "test" };
    return { user, viewer, id: user.id, email: user.email, apiKey };
  };

  return {
    services,
    app,
    connection: database.connection,
    state,
    otherState,
    user: person,
    as(name, { client = "ParleyTest/1.0", byKeyAlone = name === "echo", byFirstKey = false } = {}) {
      const headersWith = (apiKey: string) => {
        const authorization = `Basic ${Buffer.from(`${person(name).email}:${apiKey}`).toString("base64")}`;
        return { host: hostOf(name), authorization, "user-agent": client };
      };
      const { viewer, id, apiKey } = person(name);
      const { keyring } = services;
      const hash = keyring.hash(apiKey).toString("base64");
      // Somebody who was reactivated has another key.
      const headers = () =>
        byFirstKey || viewer.state.get(apiKeys).hashOf(id) === hash
          ? headersWith(apiKey)
          : readApiKey(viewer.state, keyring, id).then(headersWith);
      return callerOf(app, headers, undefined, byKeyAlone ? undefined : withCastPassword);
    },
    nobody: (host = HOST, { address } = {}) =>
      callerOf(app, { host, "user-agent": "ParleyTest/1.0" }, address),
    channelId(name) {
      const channel = state.get(channels).findByName(name);
      if (!channel) throw new Error(`there is no channel ${name}`);
      return channel.id;
    },
    async channel(name, subscribed, options = {}) {
      const { viewer } = person("ada");
      const id = await changeState(viewer, async (tx) => {
        const channel = await createChannel(tx, { name, ...options });
        await subscribe(
          tx,
          [channel],
          subscribed.map((each) => person(each).user),
        );
        return channel.id as ChannelId;
      });
      return state.get(channels).byId.get(id) as Channel;
    },
    async close() {
      await services.queues.stop();
      await app.close();
      await services.database.close();
      database.dropLater();
      await rm(filesDir, { recursive: true, force: true });
    },
  };
}

/** Calls of a server with these headers. */
export function callerOf(
  app: FastifyInstance,
  headersOf: Headers | (() => Headers | Promise<Headers>),
  address?: string,
  prove: (endpoint: Endpoint | undefined, params: Params) => Params = (_, params) => params,
): Caller {
  const call = async (
    method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
    path: string,
    given: Params = {},
  ): Promise<Answer> => {
    const endpoint = endpointAt(method, path);
    const params = prove(endpoint, given);
    const found = typeof headersOf === "function" ? headersOf() : headersOf;
    const headers = found instanceof Promise ? await found : found;
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    const request: InjectOptions =
      method === "GET"
        ? { method, url: `/api/v1${path}?${form}`, headers }
        : {
            method,
            url: `/api/v1${path}`,
            headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
            payload: form.toString(),
          };
    const from = address === undefined ? {} : { remoteAddress: address };
    if (endpoint?.startsSession) request.headers = { ...ownPageHeaders, ...request.headers };
    const response = await watchCall(app, endpoint, () => app.inject({ ...request, ...from }));
    const answer = { status: response.statusCode, body: response.json(), headers: response.headers };
    if (endpoint) validateReply(endpoint, answer.body, answer.status);
    return answer;
  };
  return {
    get: (path, params) => call("GET", path, params),
    post: (path, params) => call("POST", path, params),
    patch: (path, params) => call("PATCH", path, params),
    put: (path, params) => call("PUT", path, params),
    delete: (path, params) => call("DELETE", path, params),
  };
}

/** The declared paths in parts, by method and number of parts: each call of each test looks here. */
const declaredPaths = new Map<string, { endpoint: Endpoint; parts: string[] }[]>();
// A fixed path is more specific than one with a parameter in the same place.
const isOpen = ({ path }: Endpoint) => Number(path.includes("{"));
for (const endpoint of [...endpoints].sort((one, other) => isOpen(one) - isOpen(other))) {
  const parts = endpoint.path.split("/");
  const key = `${endpoint.method} ${parts.length}`;
  declaredPaths.set(key, [...(declaredPaths.get(key) ?? []), { endpoint, parts }]);
}

/** The endpoint that a call reaches; undefined for a path that is not declared. */
function endpointAt(method: string, path: string): Endpoint | undefined {
  const asked = path.split("/");
  return declaredPaths
    .get(`${method} ${asked.length}`)
    ?.find(({ parts }) => parts.every((part, index) => part.startsWith("{") || part === asked[index]))
    ?.endpoint;
}
