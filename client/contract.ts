/**
 * The contract as the client uses it: every endpoint by its name, and the types of calls, events and
 * failures. Here these types are wide, because names are not types in `api/`. The package that others install
 * has another file in this place, with the exact types. `tools/client-contract.js` writes it.
 */
import type { Reply } from "../api/endpoint.ts";
import { endpoints as declared } from "../api/index.ts";
import { capabilityNames, deleteQueue, getEvents, registerQueue } from "../api/integrations/real-time.ts";
import type { Answer, Callable, CallOptions } from "./connection.ts";

type Wire = Record<string, unknown>;

/** A function for each endpoint. */
export type Calls = Readonly<Record<string, (parameters?: Wire, options?: CallOptions) => Promise<Wire>>>;

export type RegisterParameters = (typeof registerQueue)["example"]["parameters"];

/** The response of /register: the fixed fields, and the requested parts of the state. */
export type Snapshot = Answer<Reply<(typeof registerQueue)["reply"]>> & Wire;

export type QueuedEvent = { id: number; type: string } & Wire;

/** The server returned an error of the contract. Code and status identify errors. */
export interface ApiFailure {
  kind: "api";
  status: number;
  code: string | undefined;
  fields: Wire;
}

const byName: Readonly<Record<string, Callable>> = Object.fromEntries(
  declared.map((endpoint) => [endpoint.name, endpoint]),
);

export const endpoints = { ...byName, registerQueue, getEvents, deleteQueue };

/** Every capability: a client that declares them all receives the newest forms of events. */
export const allCapabilities: Record<string, boolean> = Object.fromEntries(
  capabilityNames.map((name) => [name, true]),
);
