/** A few endpoints without any organization, for the tests of the HTTP server. */
import { pino } from "pino";
import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../../api/endpoint.ts";
import { ApiError, errors } from "../../api/errors.ts";
import type { OrganizationId, UserId } from "../../api/ids.ts";
import { type Role, roles } from "../../api/roles.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { OutcomeUnknown } from "../../server/platform/db/database-unavailable.ts";
import type { HttpOptions } from "../../server/platform/http/app.ts";
import { type HeldReply, type Route, routeFor } from "../../server/platform/http/handler.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { RawJson } from "../../server/platform/std/raw-json.ts";

const route = routeFor<Viewer>();

/** Windows are the same for all callers, and this one ends in 2033: no test counts across its end. */
export const LONG_WINDOW_SECONDS = 10 ** 9;

export const KEY = "abcdefghijklmnopqrstuvwxyz012345";

const people: Record<string, { id: number; role: Role }> = {
  "olga@toy.test": { id: 1, role: roles.owner },
  "abel@toy.test": { id: 2, role: roles.administrator },
  "mia@toy.test": { id: 3, role: roles.member },
  "gil@toy.test": { id: 4, role: roles.guest },
};

export type Person = "olga" | "abel" | "mia" | "gil";

export function authorization(person: Person, key = KEY): string {
  return `Basic ${Buffer.from(`${person}@toy.test:${key}`).toString("base64")}`;
}

const about = { subject: "Toys", summary: "", description: "", errors: [], emits: [] };
const name = optional(Type.String({ maxLength: 20 }), { description: "", aliases: ["label"] });

const send = endpoint({
  ...about,
  name: "sendToy",
  method: "POST",
  path: "/toys",
  access: "user",
  parameters: {
    to: required(Type.Union([Type.String(), Type.Integer(), Type.Array(Type.Integer())]), {
      description: "",
    }),
    content: required(Type.String(), { description: "" }),
    name,
    shade: optional(Type.Union([Type.Integer(), Type.Null()]), { description: "" }),
    is_soft: optional(Type.Boolean(), { description: "" }),
    sizes: optional(Type.Array(Type.Integer({ minimum: 0, maximum: 10 })), {
      description: "",
      invalid: "variable-invalid",
    }),
    old_word: optional(Type.String(), { description: "", ignored: true }),
  },
  reply: { given: Type.Unknown() },
  example: { parameters: { to: "x", content: "y" }, reply: { given: {} } },
  sample: () => ({ to: "x", content: "y" }),
});

const get = endpoint({
  ...about,
  name: "getToy",
  method: "GET",
  path: "/toys/{toy_id}",
  access: "user",
  parameters: {
    toy_id: inPath(Type.Integer(), { description: "" }),
    count: optional(Type.Integer({ minimum: 0, maximum: 100 }), { description: "" }),
    words: optional(Type.Array(Type.String()), { description: "" }),
    flags: optional(Type.Record(Type.String(), Type.Boolean()), { description: "" }),
  },
  reply: { given: Type.Unknown() },
  example: { parameters: { toy_id: 1 }, reply: { given: {} } },
  sample: () => ({ toy_id: 1 }),
});

const remove = endpoint({ ...get, name: "deleteToy", method: "DELETE" });

const view = endpoint({
  ...about,
  name: "changeView",
  method: "PATCH",
  path: "/views/{fragment}",
  access: "user",
  parameters: { fragment: inPath(Type.String({ slashes: true }), { description: "" }), name },
  reply: { given: Type.Unknown() },
  example: { parameters: { fragment: "a" }, reply: { given: {} } },
  sample: () => ({ fragment: "a" }),
});

function bare(
  path: string,
  more: {
    access: "anyone" | "spectator" | "user" | "member" | "administrator" | "owner";
    developmentOnly?: boolean;
    method?: "POST";
  },
) {
  return endpoint({
    ...about,
    name: path.slice(1),
    method: "GET",
    path,
    parameters: {},
    reply: { given: Type.Unknown() },
    example: { parameters: {}, reply: { given: null } },
    sample: () => ({}),
    ...more,
  });
}

const hook = endpoint({
  ...about,
  name: "callHook",
  method: "POST",
  path: "/hook",
  access: "user",
  rawBody: true,
  keyInQuery: true,
  parameters: {
    api_key: optional(Type.String(), { description: "" }),
    payload: optional(Type.String(), { description: "" }),
    name,
  },
  reply: { given: Type.Unknown() },
  example: { parameters: {}, reply: { given: {} } },
  sample: () => ({}),
});

const poll = endpoint({
  ...about,
  name: "pollToys",
  method: "GET",
  path: "/poll",
  access: "user",
  parameters: { queue_id: optional(Type.String(), { description: "" }) },
  reply: {},
  example: { parameters: {}, reply: {} },
  sample: () => ({}),
  streams: true,
});

async function loseConnection(): Promise<never> {
  throw new OutcomeUnknown(new Error("Connection terminated unexpectedly"));
}

export interface Toys {
  options: HttpOptions;
  /** Polls that wait, in the order of arrival. */
  polls: { held: HeldReply; isClosed: boolean }[];
  /** Lines that were logged. */
  logged: string[];
  /** The number of calls of `authenticate`. */
  counts: { authenticated: number };
  state: { version: number; isDeactivated: boolean; canSpectate: boolean };
  /** Resolves the oldest waiting call of /slow. */
  finishSlow: (() => void)[];
}

/** Options for `createHttp`, and what the test can observe and control. */
export function toys(change: Partial<HttpOptions> = {}): Toys {
  const state = { organizationId: 1 as OrganizationId } as OrganizationState;
  const logged: string[] = [];
  const polls: Toys["polls"] = [];
  const finishSlow: Toys["finishSlow"] = [];
  const counts = { authenticated: 0 };
  const value = { version: 1, isDeactivated: false, canSpectate: false };
  const given = (call: { params: unknown }) => ({ given: call.params });
  const whoCalls = (call: {
    viewer: Viewer | undefined;
    client: string;
    baseUrl: string;
    address: string;
  }) => ({
    given: {
      user: call.viewer?.user.id ?? null,
      client: call.client,
      baseUrl: call.baseUrl,
      address: call.address,
    },
  });
  const routes: Route[] = [
    route(send, given),
    route(get, async (call) => given(call)),
    route(remove, given),
    route(view, given),
    route(hook, ({ viewer, params: { apiKey, ...params }, rawBody }) => ({
      given: {
        user: viewer.user.id,
        params,
        text: rawBody?.bytes.toString(),
        form: rawBody?.form,
        kind: rawBody?.header("X-Kind"),
        secrets: [rawBody?.header("Authorization"), rawBody?.header("cookie")],
      },
    })),
    route(bare("/anyone", { access: "anyone" }), whoCalls),
    route(bare("/spectator", { access: "spectator" }), whoCalls),
    route(bare("/user", { access: "user" }), whoCalls),
    route(bare("/member", { access: "member" }), whoCalls),
    route(bare("/administrator", { access: "administrator" }), whoCalls),
    route(bare("/owner", { access: "owner" }), whoCalls),
    route(bare("/development", { access: "anyone", developmentOnly: true }), whoCalls),
    route(bare("/raw", { access: "anyone" }), () => ({ given: new RawJson('[1,2,"three"]') })),
    route(bare("/declared", { access: "anyone" }), () => {
      throw new ApiError(errors.channelDoesNotExist, { stream: "nowhere" });
    }),
    route(bare("/broken", { access: "anyone" }), async () => {
      throw Object.assign(new Error("the database is gone"), {
        detail: "Key (content)=(a secret)",
        code: "57P01",
      });
    }),
    route(bare("/lost", { access: "anyone" }), loseConnection),
    route(bare("/lost", { access: "anyone", method: "POST" }), loseConnection),
    route(bare("/unwritable", { access: "anyone" }), () => ({ given: 1n })),
    route(bare("/slow", { access: "anyone" }), async () => {
      await new Promise<void>((resolve) => finishSlow.push(resolve));
      return { given: "slowly" };
    }),
    route(poll, async (call, held): Promise<void> => {
      if (call.params.queueId === "gone") throw new ApiError(errors.badEventQueue, { queueId: "gone" });
      const waiting = { held, isClosed: false };
      held.onEnd((isStopping) => {
        waiting.isClosed = true;
        if (isStopping) held.send('{"result":"success","msg":"","events":[]}');
      });
      polls.push(waiting);
    }),
  ];
  const options: HttpOptions = {
    routes,
    stateOf: (host) =>
      host === "toy.test" || host === "127.0.0.1" || host === "localhost" ? state : undefined,
    authenticate(_state, email, apiKey, client) {
      counts.authenticated++;
      const person = people[email.toLowerCase()];
      if (!person || apiKey !== KEY) throw new ApiError(errors.invalidApiKey);
      return { state, client, user: { id: person.id as UserId, role: person.role, email } as Viewer["user"] };
    },
    authenticateKey(_state, apiKey, client) {
      if (apiKey !== KEY) throw new ApiError(errors.invalidApiKey);
      return { state, client, user: { id: 3 as UserId, role: roles.member } as Viewer["user"] };
    },
    authenticateSession(_state, token, client) {
      if (token !== KEY) throw new ApiError(errors.sessionEnded);
      return { state, client, user: { id: 3 as UserId, role: roles.member } as Viewer["user"] };
    },
    authVersion: () => value.version,
    callerOf: (caller, call) => ({ ...caller, ...call }),
    canSpectate: () => value.canSpectate,
    isDeactivated: () => value.isDeactivated,
    rateLimits: undefined,
    isDevelopment: false,
    log: pino({ level: "debug" }, { write: (line) => logged.push(line) }),
    whyNotReady: async () => undefined,
    publicUrl: undefined,
    ...change,
  };
  return { options, polls, logged, counts, state: value, finishSlow };
}
