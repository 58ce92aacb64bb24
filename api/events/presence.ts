import { Type } from "typebox";
import { event } from "../event.ts";
import { described } from "../fields.ts";
import { legacyPresence, modernPresences, serverTimestamp } from "../profiles/presence.ts";

export const presenceChanged = event({
  type: "presence",
  variant: "modern",
  description:
    "Somebody was away and is there again. For clients with the capability `simplified_presence_events`. In an organization with more than 1,000 people there are no such events.",
  payload: { presences: described(modernPresences, "When the person was there, by user ID.") },
  example: { presences: { 10: { active_timestamp: 1700000000, idle_timestamp: 1700000000 } } },
});

export const legacyPresenceChanged = event({
  type: "presence",
  variant: "legacy",
  description:
    "Somebody was away and is there again. For clients without the capability `simplified_presence_events`.",
  payload: {
    user_id: Type.Integer({ description: "The person." }),
    email: Type.Optional(
      Type.String({ description: "The person's API email, for queues without `slim_presence`. Deprecated." }),
    ),
    server_timestamp: serverTimestamp,
    presence: Type.Object(
      { website: legacyPresence.website },
      { description: "The newest report of the person's clients." },
    ),
  },
  example: {
    user_id: 10,
    email: "dev@demo.test",
    server_timestamp: 1700000000.25,
    presence: {
      website: { client: "website", status: "active", timestamp: 1700000000, pushable: false },
    },
  },
});
