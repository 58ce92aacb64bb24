import { Connection, type ConnectionOptions } from "./connection.ts";
import { type Calls, endpoints, type QueuedEvent, type RegisterParameters } from "./contract.ts";
import { type EventOptions, eventsOf } from "./poll.ts";

export interface ClientOptions extends Omit<ConnectionOptions, "credentials" | "backoff"> {
  /** The account and its key; neither for calls that need no account. */
  email?: string;
  apiKey?: string;
}

/** A function for each endpoint of the API, and the events. */
export type Client = Calls & {
  /**
   * Registers an event queue and yields its events, each once and in order. It polls while the loop asks
   * for events, and waits for a server that is away. It registers again if the server has lost the queue.
   * Leaving the loop deletes the queue.
   */
  events(
    parameters?: RegisterParameters,
    options?: EventOptions,
  ): AsyncGenerator<QueuedEvent, void, undefined>;
};

export function createClient({ email, apiKey, ...options }: ClientOptions): Client {
  if ((email === undefined) !== (apiKey === undefined)) {
    throw new TypeError("email and apiKey belong together: give both or neither.");
  }
  const credentials = email === undefined || apiKey === undefined ? {} : { credentials: { email, apiKey } };
  const connection = new Connection({ ...options, ...credentials });
  const calls = Object.values(endpoints).map((endpoint): [string, unknown] => [
    endpoint.name,
    (parameters: object = {}, callOptions = {}) => connection.call(endpoint, parameters, callOptions),
  ]);
  const events: Client["events"] = (parameters = {}, eventOptions = {}) =>
    eventsOf(connection, parameters, eventOptions);
  // Each function takes and gives what the contract says of its endpoint.
  return Object.assign(Object.fromEntries(calls) as unknown as Calls, { events });
}
