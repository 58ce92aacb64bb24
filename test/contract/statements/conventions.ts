/** What is stated of all requests, of who may call, and of events. */
import type { Statement } from "./statement.ts";
import { http, queues, update } from "./test-files.ts";

export const conventions: Readonly<Record<string, readonly Statement[]>> = {
  "Conventions 2": [
    ["Forms and JSON objects are read.", http, "%s is parsed"],
    ["An array or an object is JSON in its field.", "server/platform/http/decode.test.ts", "%s from %s"],
  ],
  "Conventions 3": [
    [
      "A success has result and msg.",
      http,
      "carries result, msg and the reply's fields, and ends with a newline",
    ],
  ],
  "Conventions 4": [
    ["Unknown parameters are listed.", http, "lists the parameters that the endpoint does not know"],
  ],
  "Conventions 5": [
    ["An error has its code and fields.", http, "a declared one gives its status, code and fields"],
  ],
  "Conventions 6": [
    [
      "`old` must be the current value.",
      update,
      "change only if the old value in the request is still current",
    ],
  ],
  "Conventions 7": [
    [
      "The empty topic has a name for older clients.",
      "test/replay/messages.test.ts",
      "may have the empty topic, which older clients see by its display name",
    ],
  ],
  "Authentication 1": [
    ["Without credentials the answer is 401.", http, "without credentials the answer asks for them"],
  ],
  "Authentication 2": [
    [
      "Spectators need public access.",
      http,
      "a caller without an account may call only where public access is on",
    ],
  ],
  "Authentication 3": [
    ["Production has no such keys.", http, "endpoints for development are off in production"],
  ],
  "Authentication 4": [
    [
      "Each role calls what it may.",
      "test/contract/refused-callers.test.ts",
      "%s is refused to %s, whose role is too low",
    ],
  ],
  "Events 1": [["A poll is held until there is an event.", queues, "is held until an event arrives"]],
  "Events 2": [
    [
      "A heartbeat comes within a minute.",
      queues,
      "a poll without events gets a heartbeat after 45 to 55 seconds, with an id of its own",
    ],
    [
      "A queue that is not polled is discarded.",
      queues,
      "a queue that is not polled is discarded after its lifespan, one with a held poll is not",
    ],
  ],
  "Events 4": [
    [
      "The queue that sent gets `local_id`.",
      "test/replay/messages.test.ts",
      "reaches the queue that it was sent from with the sender's local id",
    ],
  ],
  "Events 5": [
    [
      "Clients that know deactivated groups get an update.",
      "test/replay/groups.test.ts",
      "is sent as a change to clients that know deactivated groups",
    ],
    [
      "Other clients get a removal.",
      "test/replay/groups.test.ts",
      "is removed and added again for other clients",
    ],
  ],
};
