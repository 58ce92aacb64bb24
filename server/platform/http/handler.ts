import type { TProperties } from "typebox";
import type { Access, Endpoint, HandlerParameters, Parameters, Reply } from "../../../api/endpoint.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { RawJson } from "../std/raw-json.ts";
import type { Caller } from "./caller.ts";

/** What a handler knows of its call. It never sees a request: everything from the wire is decoded and checked by then. */
export interface Call<P, V = Caller> {
  state: OrganizationState;
  viewer: V;
  params: P;
  /** For limits on attempts: the address of the caller. */
  address: string;
  /** The name of the client program, in lower case. */
  client: string;
  /** The URL under which the caller reached the organization, without a slash at the end. */
  baseUrl: string;
}

/** A held answer: written once, when the handler likes; `onClose` is called if the caller goes away before. */
export interface HeldReply {
  /** The whole body, `result` and `msg` included. */
  send(json: string): void;
  onClose(listener: () => void): void;
}

type WithRawJson<R> = { [K in keyof R]: R[K] | RawJson };

// biome-ignore lint/suspicious/noExplicitAny: a list of routes mixes every kind of parameters; each is checked where it is made.
type Mixed = any;

export interface Route {
  endpoint: Endpoint<Mixed, Mixed>;
  handle: (call: Call<Mixed, Mixed>, held: HeldReply) => unknown;
}

/** Who calls an endpoint of this access: without an account there may be nobody. */
type CallerOf<A extends Access, V> = A extends "anyone" | "spectator" ? V | undefined : V;

/**
 * The function that binds an endpoint to its handler. The types of parameters and reply come from the declaration; `V` is
 * what the handlers know of their caller.
 */
export function routeFor<V extends Caller>() {
  return function route<P extends Parameters, R extends TProperties, A extends Access>(
    endpoint: Endpoint<P, R, A>,
    handle: (
      call: Call<HandlerParameters<P>, CallerOf<A, V>>,
      longPoll: HeldReply,
    ) => Promise<WithRawJson<Reply<R>>> | WithRawJson<Reply<R>> | Promise<void>,
  ): Route {
    return { endpoint, handle };
  };
}
