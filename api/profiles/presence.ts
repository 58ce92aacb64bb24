import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";

/** How often a client reports that its person is there. */
export const PRESENCE_PING_SECONDS = 60;
/** After how long without a report clients show a person as offline. */
export const PRESENCE_OFFLINE_SECONDS = 200;
export const DEFAULT_PRESENCE_HISTORY_DAYS = 14;

/** When a person was there, in the modern form. */
export const presence = Type.Object(
  {
    active_timestamp: Type.Integer({
      description:
        "When the person last used a client, in UNIX seconds; if never, when the account was made.",
    }),
    idle_timestamp: Type.Integer({
      description: "When a client of the person was last connected, in UNIX seconds.",
    }),
  },
  { description: "When the person was there." },
);

const website = {
  client: Type.Literal("website", { description: "Always `website`: clients are not told apart." }),
  status: Type.Union([Type.Literal("active"), Type.Literal("idle")], {
    description: "Whether the person was active at that time, or only connected.",
  }),
  timestamp: Type.Integer({ description: "When the person was there, in UNIX seconds." }),
};

/** The older form, without the times of both kinds. */
export const legacyPresence = {
  website: Type.Object(
    { ...website, pushable: Type.Literal(false, { description: "Always false." }) },
    { description: "The newest report of the person's clients." },
  ),
  aggregated: Type.Object(website, { description: "The same." }),
};

export const modernPresences = Type.Record(Type.String(), presence, {
  description: "Who was there when, by user ID.",
});
export const legacyPresences = Type.Record(
  Type.String(),
  Type.Object(legacyPresence, { description: "When the person was there." }),
  { description: "Who was there when, by email address." },
);
/** Which of the two forms depends on the request. */
export const presences = Type.Union([modernPresences, legacyPresences], {
  description: "People who were there in the last days, by user ID or by email address.",
});

export const serverTimestamp = Type.Number({ description: "The server's clock, in UNIX seconds." });
export const presenceUpdateId = Type.Integer({
  description: "What to send as `last_update_id` next time; -1 if nobody was ever there.",
});

const dev = { active_timestamp: 1700000000, idle_timestamp: 1700000060 };
const legacyDev = {
  website: { client: "website", status: "idle", timestamp: 1700000060, pushable: false },
  aggregated: { client: "website", status: "idle", timestamp: 1700000060 },
} as const;

export const reportPresence = endpoint({
  name: "reportPresence",
  subject: "Presence",
  method: "POST",
  path: "/users/me/presence",
  access: "user",
  summary: "Report one's presence and get that of others",
  description:
    "Says that the caller is there, and returns who else is. Clients call it once in `server_presence_ping_interval_seconds`. With `last_update_id`, only people of whom there is something new are returned. The report is kept in memory and written a few seconds later, so the last reports may be lost in a crash.",
  parameters: {
    status: required(Type.String({ maxLength: 100 }), {
      description: "`active` if the person has used the client, otherwise `idle`.",
    }),
    last_update_id: optional(Type.Integer({ minimum: -1 }), {
      description:
        "The `presence_last_update_id` of the last answer, or -1 for everybody. Answers are then in the modern form.",
    }),
    history_limit_days: optional(Type.Integer({ minimum: 0, maximum: 100_000 }), {
      description: "How far back presence goes, in days; 14 by default.",
    }),
    ping_only: optional(Type.Boolean(), { description: "Return nothing; `false` by default." }),
    new_user_input: optional(Type.Boolean(), {
      description: "Whether the person has used the client since the last report. It has no effect.",
    }),
    slim_presence: optional(Type.Boolean(), {
      description: "Whether the answer is in the modern form also without `last_update_id`.",
    }),
  },
  reply: {
    presences: Type.Optional(presences),
    server_timestamp: Type.Optional(serverTimestamp),
    presence_last_update_id: Type.Optional(presenceUpdateId),
  },
  errors: [errors.botsNotAccepted, errors.invalidPresenceStatus],
  emits: ["presence"],
  example: {
    parameters: { status: "active", last_update_id: 1699999990000 },
    reply: {
      presences: { 10: dev },
      server_timestamp: 1700000061.25,
      presence_last_update_id: 1700000060000,
    },
  },
  sample: () => ({ status: "active" }),
});

export const getUserPresence = endpoint({
  name: "getUserPresence",
  subject: "Presence",
  method: "GET",
  path: "/users/{user_id_or_email}/presence",
  access: "user",
  summary: "Get a person's presence",
  description: "Returns when one person was last there.",
  parameters: {
    user_id_or_email: inPath(Type.String({ maxLength: 254 }), {
      description: "The person's ID or API email address.",
    }),
  },
  reply: {
    presence: Type.Object(
      Object.fromEntries(
        ["website", "aggregated"].map((name) => [
          name,
          Type.Object(
            {
              status: Type.Union([Type.Literal("active"), Type.Literal("idle"), Type.Literal("offline")], {
                description: "`offline` after `server_presence_offline_threshold_seconds`.",
              }),
              timestamp: Type.Integer({ description: "When the person was there, in UNIX seconds." }),
            },
            { description: "When the person was last there." },
          ),
        ]),
      ),
      { description: "The same under two names." },
    ),
  },
  errors: [errors.noSuchUser, errors.noPresenceOfBots, errors.noPresenceData],
  emits: [],
  example: {
    parameters: { user_id_or_email: "1" },
    reply: {
      presence: {
        website: { status: "active", timestamp: 1700000000 },
        aggregated: { status: "active", timestamp: 1700000000 },
      },
    },
  },
  sample: (ids) => ({ user_id_or_email: String(ids.userId) }),
});

export const getPresence = endpoint({
  name: "getPresence",
  subject: "Presence",
  method: "GET",
  path: "/realm/presence",
  access: "user",
  summary: "Get everybody's presence",
  description: "Returns the presence of all people who were there in the last 14 days, in the older form.",
  parameters: {},
  reply: {
    presences: legacyPresences,
    server_timestamp: serverTimestamp,
    presence_last_update_id: presenceUpdateId,
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: {
      presences: { "dev@demo.test": legacyDev },
      server_timestamp: 1700000061.25,
      presence_last_update_id: 1700000060000,
    },
  },
  sample: () => ({}),
});
