/**
 * A server in memory with two organizations and a small cast, each with one trait. Fixed ids: the cast is created in the
 * order below, by the verbs that people's requests use, on a fresh copy of the migrated database.
 */
import type { FastifyInstance, InjectOptions } from "fastify";
import pino from "pino";
import type { ChannelId, OrganizationId } from "../../api/ids.ts";
import { endpoints } from "../../api/index.ts";
import { type Role, roles } from "../../api/roles.ts";
import { createServer, openServices } from "../../server/app.ts";
import { type Config, readConfig } from "../../server/config.ts";
import { type Channel, channels } from "../../server/features/channels/channel.ts";
import { createChannel } from "../../server/features/channels/create/create.ts";
import { subscribe } from "../../server/features/channels/subscriptions/subscribe.ts";
import { createSystemGroups } from "../../server/features/groups/actions.ts";
import { insertOrganization } from "../../server/features/organization/store.ts";
import { createUser } from "../../server/features/users/actions.ts";
import { createNotificationBot } from "../../server/features/users/notification-bot.ts";
import { findEncryptedApiKey } from "../../server/features/users/store.ts";
import { type User, users } from "../../server/features/users/user.ts";
import type { Viewer } from "../../server/features/users/viewer.ts";
import type { Database } from "../../server/platform/db/database.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { nobody } from "../../server/platform/log/log-entry.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import type { Services } from "../../server/services.ts";
import { createTestDatabase } from "./postgres.ts";
import { validateReply } from "./validate-reply.ts";

const cast = {
  ada: { fullName: "Ada Osei", role: roles.owner },
  ben: { fullName: "Ben Ito", role: roles.administrator },
  cleo: { fullName: "Cleo Marsh", role: roles.moderator },
  dev: { fullName: "Dev Rao", role: roles.member },
  elin: { fullName: "Elin Berg", role: roles.member },
  gus: { fullName: "Gus Pike", role: roles.guest },
  echo: { fullName: "Echo Bot", role: roles.member },
} as const;

export type CastName = keyof typeof cast | "zed";

export const HOST = "demo.test";
export const OTHER_HOST = "other.test";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely; each is checked against its declaration first.
  body: any;
  headers: Record<string, unknown>;
}

type Params = Record<string, unknown>;

/** Calls the API as somebody; every answer is checked against the contract. */
export interface Caller {
  get(path: string, params?: Params): Promise<Answer>;
  post(path: string, params?: Params): Promise<Answer>;
  patch(path: string, params?: Params): Promise<Answer>;
  delete(path: string, params?: Params): Promise<Answer>;
}

export interface Harness {
  services: Services;
  app: FastifyInstance;
  /** The cast's organization. */
  state: OrganizationState;
  /** zed's. */
  otherState: OrganizationState;
  as(name: CastName, options?: { client?: string }): Caller;
  nobody(host?: string): Caller;
  user(name: CastName): { user: User; viewer: Viewer; id: number; email: string; apiKey: string };
  /** Creates a channel as ada and subscribes the named. */
  channel(name: string, subscribed: CastName[], options?: Params): Promise<Channel>;
  close(): Promise<void>;
}

export async function createHarness(environment: Record<string, string> = {}): Promise<Harness> {
  const database = await createTestDatabase();
  const config: Config = readConfig({
    PARLEY_ENV: "development",
    PARLEY_WEB_PUBLIC_STREAMS: "on",
    PARLEY_LOG: "silent",
    ...environment,
  });
  const services = await openServices(config, pino({ level: "silent" }), database.connection);
  const app = await createServer(services);
  const { database: db, organizations } = services;
  const state = await organizations.byId(await makeOrganization(db, HOST, "Demo"));
  const otherState = await organizations.byId(await makeOrganization(db, OTHER_HOST, "Other"));

  const people = new Map<CastName, { user: User; apiKey: string; state: OrganizationState }>();
  const join = async (
    home: OrganizationState,
    name: CastName,
    email: string,
    fullName: string,
    role: Role,
  ) => {
    const botOwnerId = name === "echo" ? people.get("ben")?.user.id : undefined;
    const user = await runStateChange(home, (tx) =>
      createUser(tx, services.keyring, {
        email,
        fullName,
        role,
        passwordHash: null,
        ...(botOwnerId === undefined ? undefined : { botType: 1, botOwnerId }),
      }),
    );
    const encrypted = await findEncryptedApiKey(db, home.organizationId, user.id);
    people.set(name, { user, apiKey: services.keyring.decrypt(encrypted as Buffer), state: home });
  };
  for (const [name, { fullName, role }] of Object.entries(cast)) {
    await join(
      state,
      name as CastName,
      name === "echo" ? "echo-bot@demo.test" : `${name}@demo.test`,
      fullName,
      role,
    );
  }
  await join(otherState, "zed", "zed@other.test", "Zed Ames", roles.owner);
  // After the cast, whose ids are fixed.
  await addNotificationBot(state, HOST);
  await addNotificationBot(otherState, OTHER_HOST);

  const person = (name: CastName) => {
    const found = people.get(name);
    if (!found) throw new Error(`${name} is not in the cast`);
    const user = found.state.get(users).find(found.user.id) as User;
    return {
      user,
      viewer: { state: found.state, user, client: "test" },
      id: user.id as number,
      email: user.email,
      apiKey: found.apiKey,
    };
  };

  return {
    services,
    app,
    state,
    otherState,
    user: person,
    as(name, { client = "ParleyTest/1.0" } = {}) {
      const { email, apiKey } = person(name);
      const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
      return callerOf(app, { host: name === "zed" ? OTHER_HOST : HOST, authorization, "user-agent": client });
    },
    nobody: (host = HOST) => callerOf(app, { host, "user-agent": "ParleyTest/1.0" }),
    async channel(name, subscribed, options = {}) {
      const { viewer } = person("ada");
      const id = await runStateChange(state, async (tx) => {
        const channel = await createChannel(tx, viewer, { name, ...options });
        await subscribe(
          tx,
          viewer,
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
      await database.drop();
    },
  };
}

async function makeOrganization(database: Database, host: string, name: string): Promise<OrganizationId> {
  return database.transaction(async (tx) => {
    const id = await insertOrganization(tx, { host, name, settings: {} });
    await createSystemGroups(tx, id);
    return id;
  });
}

async function addNotificationBot(state: OrganizationState, host: string): Promise<void> {
  await runStateChange(state, async (tx) => {
    const bot = await createNotificationBot(tx, state.organizationId, host);
    tx.appendRaw({ type: "realm_user" }, nobody, { users: { put: [bot] } });
  });
}

function callerOf(app: FastifyInstance, headers: Record<string, string>): Caller {
  const call = async (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    params: Params = {},
  ): Promise<Answer> => {
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
    const response = await app.inject(request);
    const answer = { status: response.statusCode, body: response.json(), headers: response.headers };
    const endpoint = endpointAt(method, path);
    if (endpoint) validateReply(endpoint, answer.body, answer.status);
    return answer;
  };
  return {
    get: (path, params) => call("GET", path, params),
    post: (path, params) => call("POST", path, params),
    patch: (path, params) => call("PATCH", path, params),
    delete: (path, params) => call("DELETE", path, params),
  };
}

/** The endpoint that a call reaches; undefined for a path that is not declared. */
function endpointAt(method: string, path: string) {
  const parts = path.split("/");
  const candidates = endpoints.filter((endpoint) => {
    const template = endpoint.path.split("/");
    return (
      endpoint.method === method &&
      template.length === parts.length &&
      template.every((part, index) => part.startsWith("{") || part === parts[index])
    );
  });
  // A fixed path is more specific than one with a parameter in the same place.
  return candidates.find((endpoint) => !endpoint.path.includes("{")) ?? candidates[0];
}
