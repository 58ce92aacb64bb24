/** What is stated of sign-ins, devices, views, queues, bots' programs and the server's settings. */
import type { Statement } from "./statement.ts";
import {
  deactivatePerson,
  devices,
  keys,
  mutedUsers,
  narrow,
  organization,
  presence,
  queues,
  rules,
  serverSettings,
  signIn,
  snapshot,
  views,
  webhooks,
} from "./test-files.ts";

export const clients: Readonly<Record<string, readonly Statement[]>> = {
  E7: [
    ["What is not given stays.", views, "keeps what a change does not give (spec E7)"],
    ["A built-in view has no name.", views, "%s is built in, so it has no name"],
    [
      "An unknown view is NOT_FOUND.",
      views,
      "can't be changed, which is NOT_FOUND, or removed, which is BAD_REQUEST: %s",
    ],
    [
      "A fragment may have slashes.",
      views,
      "is named in a path with its slashes, or with slashes that are written as %2F",
    ],
  ],
  E11: [
    [
      "In development an address gives the key.",
      signIn,
      "on a development server the email address alone gives the key",
    ],
    ["In production it is an error.", signIn, "on a production server there is no key without a password"],
  ],
  E15: [
    ["A token is removed, with an empty reply.", devices, "are kept and removed for one person (spec E15)"],
    [
      "A token that does not exist is BAD_REQUEST.",
      devices,
      "that are unknown or another person's can't be removed (spec E15)",
    ],
    [
      "An empty token and one of an invalid length are BAD_REQUEST.",
      devices,
      "are refused if they are empty, too long or no tokens (spec E15)",
    ],
  ],
  E18: [
    [
      "An unknown view is BAD_REQUEST.",
      views,
      "can't be changed, which is NOT_FOUND, or removed, which is BAD_REQUEST: %s",
    ],
  ],
  E20: [
    [
      "`apply_markdown` chooses HTML.",
      rules,
      "a queue's events have Markdown or HTML, as the client asked (spec E20)",
    ],
    ["Without an account two parameters can't be true.", rules, "may not set %s to true"],
    [
      "`fetch_event_types` chooses the parts.",
      keys,
      "a client that asks for one part gets its fields and no others (spec E20)",
    ],
    [
      "Without it, `event_types` does.",
      keys,
      "without `fetch_event_types`, the types of events choose the parts (spec E20)",
    ],
    [
      "Without both, everything comes.",
      keys,
      "a client that names no parts gets all fields of the feature level (spec E20)",
    ],
    [
      "Unknown types are ignored.",
      "server/integrations/real-time/handlers.test.ts",
      "a queue keeps no unknown event types and capabilities",
    ],
    [
      "The snapshot and the queue are of one moment.",
      "test/replay/organization-lists.test.ts",
      "the lists of the first state follow the events also in a stream of changes at the same time",
    ],
    [
      "`include_subscribers` has three forms.",
      snapshot,
      "list subscribers in the form that the client asked for",
    ],
    [
      "A partial list has bots and active people.",
      "server/channels/history/recently-active.test.ts",
      "a partial list of 250 subscribers or more names the bots and the people active in the last 14 days",
    ],
    [
      "`client_gravatar` leaves pictures out.",
      "server/people/actions.test.ts",
      "a new user is sent with a picture, except to clients that compute it",
    ],
    [
      "`slim_presence` keys presence by ID.",
      presence,
      "has presence by id for modern clients and by email for others",
    ],
    ["`narrow` filters messages.", narrow, "a queue's narrow lets through"],
    [
      "`all_public_streams` adds public channels.",
      narrow,
      "an all-public listener gets public channels, and no private one",
    ],
    [
      "Without an account there is no queue.",
      organization,
      "a client without an account gets the organization, but nobody in it",
    ],
  ],
  E21: [
    ["Muting is undone.", mutedUsers, "reaches only the user's own clients, and so does unmuting"],
    [
      "Events stay until they are acknowledged.",
      queues,
      "gets all pending events, again and again until a later poll acknowledges them",
    ],
    [
      "Messages are fetched by anchor and narrow.",
      "server/messages/query/page/page.test.ts",
      "a page holds exactly what the model says, at any anchor and for any narrow",
    ],
    [
      "Flags change on a narrow.",
      "server/messages/flags/narrow-change.test.ts",
      "returns which messages were processed, how many changed, and whether the ends were reached",
    ],
    [
      "A picture has an address by whom it shows.",
      "server/content/avatars/redirects.test.ts",
      "redirects to it, by ID and by email address, in both sizes",
    ],
    [
      "Administrators deactivate others.",
      deactivatePerson,
      "is refused to all but administrators, and nothing happens",
    ],
  ],
  E22: [
    [
      "The documented path answers with an example.",
      "server/integrations/webhooks/outgoing/handlers.test.ts",
      "the documented address, and the older one, show everybody with an account the fields of a call",
    ],
    [
      "A mention calls the bot's program, with these fields.",
      webhooks,
      "calls its program with the fields of E22",
    ],
    [
      "So does a direct message.",
      webhooks,
      "calls its program, and the reply goes to everybody in the conversation",
    ],
  ],
  E23: [
    [
      "The reply has the fields of the rules.",
      "test/e2e/zulip-js-functions.test.ts",
      "each of the 35 functions of zulip-js gets the whole reply that it is made for",
    ],
    [
      "It needs no credentials.",
      serverSettings,
      "a client can read the server settings before anybody signs in",
    ],
    [
      "Public access needs server and organization.",
      serverSettings,
      "public access is on if both the server and the organization allow it",
    ],
    [
      "Each host name is an organization.",
      serverSettings,
      "each host name gives its own organization, and an unknown host name gives none",
    ],
  ],
};
