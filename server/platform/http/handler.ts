import type { TProperties } from "typebox";
import type { Access, Endpoint, HandlerParameters, Parameters, Reply } from "../../../api/endpoint.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { RawJson } from "../std/raw-json.ts";
import type { Body } from "./answer.ts";
import type { BodyStream } from "./body-stream.ts";
import type { Caller } from "./caller.ts";
import type { RawBody } from "./raw-body.ts";
import type { ReceivedFile } from "./received-files.ts";
import type { SessionCookie } from "./session-cookie.ts";

/**
 * What a handler gets. It never sees the HTTP request: all its parameters are decoded and checked before. The
 * exception is a body that is not the API's own.
 */
export interface Call<P, V = Caller> {
  state: OrganizationState;
  viewer: V;
  params: P;
  /** The IP address of the client, for limits on attempts. */
  address: string;
  /** The name of the client program, in lower case. */
  client: string;
  /** What the client program says of itself, as it came. */
  userAgent?: string | undefined;
  /** The URL under which the client reached the organization, without a slash at the end. */
  baseUrl: string;
  /** The body as it came, for an endpoint that declares `rawBody`. */
  rawBody: RawBody | undefined;
  /** For an endpoint that declares `files`: those of the request, until the response is sent. */
  files: readonly ReceivedFile[];
  /** The cookie of the browser's session, for calls that start or end one. It is set with a success only. */
  cookie: SessionCookie;
  /** The body that still arrives, for an operation that reads it itself. */
  stream: BodyStream | undefined;
}

/**
 * A held response. The handler writes it once. `onEnd` sets the listener for what ends the wait before that:
 * the client disconnects, or the server stops. When it stops, the listener sends what there is to send.
 */
export interface HeldReply {
  /** The whole body, `result` and `msg` included. */
  send(json: Body): void;
  onEnd(listener: (isStopping: boolean) => void): void;
}

/** The held reply for the handler of an endpoint without `streams`. */
export const neverHeld: HeldReply = { send: unexpectedHold, onEnd: unexpectedHold };

function unexpectedHold(): never {
  throw new Error("only an endpoint that declares `streams` can hold its response");
}

type WithRawJson<R> = { [K in keyof R]: R[K] | RawJson };

// biome-ignore lint/suspicious/noExplicitAny: a list mixes routes, each of which `route` checked.
type Mixed = any;

export interface Route {
  endpoint: Endpoint<Mixed, Mixed>;
  handle: (call: Call<Mixed, Mixed>, held: HeldReply) => unknown;
  /**
   * The handler may decide on memory that is behind the log: its commit fails then, and it confirms itself
   * what it refuses. So its calls never wait for a look at the log.
   */
  isCheckedAtCommit?: boolean;
  /** Whether a large response is compressed for clients that take it: see `compressedBody`. */
  compresses?: boolean;
  /** The largest file in a request, if the operator may choose it. By default, as the endpoint declares. */
  maxFileBytes?: number;
  /**
   * For an address that programs know from elsewhere, such as a picture's: it is called like the API, and
   * redirects. It is no part of the contract, so its declaration stands beside its handler.
   */
  redirects?: {
    /** Whether the path of the declaration is the whole path, not one below the API's. */
    isOutsideApi: boolean;
  };
}

/** The type of the viewer for an access level: undefined where no account is needed. */
type CallerOf<A extends Access, V> = A extends "anyone" | "spectator" ? V | undefined : V;

/**
 * Returns the function that binds an endpoint to its handler. The types of parameters and reply come from the
 * declaration. `V` is the type of the handlers' viewer.
 */
export function routeFor<V extends Caller>() {
  return function route<P extends Parameters, R extends TProperties, A extends Access>(
    endpoint: Endpoint<P, R, A>,
    handle: (
      call: Call<HandlerParameters<P>, CallerOf<A, V>>,
      held: HeldReply,
    ) => Promise<WithRawJson<Reply<R>>> | WithRawJson<Reply<R>> | Promise<void>,
    options: Pick<Route, "isCheckedAtCommit" | "compresses" | "maxFileBytes" | "redirects"> = {},
  ): Route {
    return { endpoint, handle, ...options };
  };
}
