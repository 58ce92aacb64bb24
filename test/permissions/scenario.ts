/** What a delivery test needs to know about an event: its cause and its recipients. */
import type { TProperties } from "typebox";
import type { CallerParameters, Endpoint, Parameters, Reply } from "../../api/endpoint.ts";
import type { EventDeclaration } from "../../api/event.ts";
import type { Harness } from "../harness/harness.ts";
import type { Kind } from "./expected-access.ts";

/** Calls the API as a person and returns the response, which must be a success. */
export type Caller = <P extends Parameters, R extends TProperties>(
  endpoint: Endpoint<P, R>,
  parameters: CallerParameters<P>,
) => Promise<Reply<R>>;

/** Clients that support every capability, and clients that send none. */
export type Client = "modern" | "plain";

/** What a scenario is given. */
export interface Scene {
  harness: Harness;
  /** An owner other than the one who listens. She is subscribed everywhere. */
  olga: Caller;
  olgaId: number;
  /** A member who neither listens nor is subscribed to anything, for calls that act on a person. */
  pat: { id: number; email: string };
  /** A word that is not yet used as a name. */
  freshName: string;
  /** Says that everything the scenario did so far was preparation. */
  begin(): void;
}

export interface ChannelScene extends Scene {
  kind: Kind;
  channel: { id: number; name: string };
  /** A message of olga's in the channel, in the topic "lunch". */
  messageId: number;
}

/** A person who listens. */
export interface Listener {
  id: number;
  email: string;
  call: Caller;
}

export type Scenario = {
  event: EventDeclaration;
  /** The clients that get this event at all; usually both. */
  clients: readonly Client[];
} & (
  | {
      /**
       * Runs in a channel of each kind, for each relation of the listeners. `hears` names the recipients.
       * `subscribers` are all subscribers. `readers` are the subscribers who may read the message: it runs
       * for a message that they received, and for an earlier one. `seers` are all who may know of the
       * channel. Clients of all public channels get the events of `subscribers` and `readers` too, except
       * with `unheardOutside`.
       */
      hears: "subscribers" | "readers" | "seers";
      unheardOutside: boolean;
      cause(scene: ChannelScene): Promise<unknown>;
    }
  | {
      /** Runs for each listener, and only that listener gets it. */
      hears: "oneself";
      exceptFor: readonly string[];
      cause(scene: Scene & { self: Listener }): Promise<unknown>;
    }
  | {
      /** Runs once. */
      hears: "everyone" | "everyone but guests" | "administrators";
      cause(scene: Scene): Promise<unknown>;
    }
);

export type ChannelScenario = Extract<Scenario, { hears: "subscribers" | "readers" | "seers" }>;
export type OwnScenario = Extract<Scenario, { hears: "oneself" }>;
export type CommonScenario = Extract<
  Scenario,
  { hears: "everyone" | "everyone but guests" | "administrators" }
>;

interface Options {
  clients?: readonly Client[];
}

const both = ["modern", "plain"] as const;

export function inChannels(
  event: EventDeclaration,
  hears: ChannelScenario["hears"],
  cause: ChannelScenario["cause"],
  { clients = both, unheardOutside = false }: Options & { unheardOutside?: boolean } = {},
): Scenario {
  return { event, hears, cause, clients, unheardOutside };
}

export function byEach(
  event: EventDeclaration,
  cause: OwnScenario["cause"],
  { clients = both, exceptFor = [] }: Options & { exceptFor?: readonly string[] } = {},
): Scenario {
  return { event, hears: "oneself", cause, clients, exceptFor };
}

export function toAll(
  event: EventDeclaration,
  hears: CommonScenario["hears"],
  cause: CommonScenario["cause"],
  { clients = both }: Options = {},
): Scenario {
  return { event, hears, cause, clients };
}

/** The name by which an event without a scenario is reported. */
export function nameOf({ type, op, variant }: EventDeclaration): string {
  return [type, op, variant].filter((part) => part !== undefined).join(" ");
}
