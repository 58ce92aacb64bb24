import { Type } from "typebox";
import { endpoint, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";

const capabilities = Type.Record(Type.String(), Type.Boolean());

/** The capabilities that a client can declare; a queue stores no others. */
export const capabilityNames = [
  "notification_settings_null",
  "bulk_message_deletion",
  "user_avatar_url_field_optional",
  "stream_typing_notifications",
  "user_settings_object",
  "linkifier_url_template",
  "user_list_incomplete",
  "include_deactivated_groups",
  "archived_channels",
  "empty_topic_name",
  "simplified_presence_events",
] as const;

/** The limits exceed the number of event types and the length of the longest. */
const typeNames = Type.Array(Type.String({ maxLength: 60 }), { maxItems: 200 });
/** The limit exceeds the length of any operator or operand; the longest are email addresses. */
const narrowTerm = Type.String({ maxLength: 254 });
/** A queue keeps its narrow for long, in memory and as a row. */
export const MAX_NARROW_BYTES = 2000;

const queueParameters = {
  apply_markdown: optional(Type.Boolean(), {
    description: "Whether message content is sent as rendered HTML. By default it is sent as Markdown.",
  }),
  client_gravatar: optional(Type.Boolean(), {
    description:
      "Whether the client computes avatar URLs of people without an uploaded picture; `avatar_url` is then null for them. `true` by default for callers with an account.",
  }),
  include_subscribers: optional(Type.Union([Type.Boolean(), Type.Literal("partial")]), {
    description:
      "Whether channels list their subscribers: `true`, `false` or `partial`. With `partial`, large channels may list only bots, and people active in the last 14 days. `false` by default.",
  }),
  slim_presence: optional(Type.Boolean(), {
    description: "Whether presence is keyed by user ID and in the modern format.",
  }),
  presence_history_limit_days: optional(Type.Integer({ minimum: 0 }), {
    description: "How far back presence goes, in days; 14 by default.",
  }),
  event_types: optional(typeNames, {
    description: "The types of events the queue receives; all by default. Unknown types are ignored.",
  }),
  all_public_streams: optional(Type.Boolean(), {
    description:
      "Whether the queue receives the messages of all public channels, subscribed or not. Not for guests.",
  }),
  client_capabilities: optional(capabilities, {
    description: "Which newer forms of events the client understands, as an object of booleans.",
  }),
  fetch_event_types: optional(typeNames, {
    description: "Which parts of the initial state to return; by default the same as `event_types`.",
  }),
  narrow: optional(Type.Array(Type.Array(narrowTerm, { minItems: 2, maxItems: 2 }), { maxItems: 50 }), {
    description:
      "Pairs of operator and operand that message events must match: `channel`, `topic`, `sender`, `is`. At most 2,000 bytes of JSON.",
    invalid: "variable-invalid",
  }),
  queue_lifespan_secs: optional(Type.Integer({ minimum: 0 }), {
    description: "How long the queue outlives its last poll, in seconds: at least 600, at most a week.",
  }),
} as const;

export const registerQueue = endpoint({
  name: "registerQueue",
  subject: "Real time",
  method: "POST",
  path: "/register",
  access: "spectator",
  summary: "Register an event queue",
  description:
    "Returns the requested parts of the current state, and a queue that receives every later change. A caller without an account gets the public state and no queue.",
  parameters: queueParameters,
  reply: {
    queue_id: Type.Union([Type.String(), Type.Null()], {
      description: "The queue; null without an account.",
    }),
    last_event_id: Type.Integer({ description: "The `last_event_id` for the first poll." }),
    service_feature_level: Type.Integer({ description: "The server's API feature level." }),
    service_version: Type.String({ description: "The server's version." }),
    service_merge_base: Type.String({
      description: "The server's version, for clients that look for it here.",
    }),
    zulip_feature_level: Type.Integer({ description: "Equal to service_feature_level." }),
    zulip_version: Type.String({ description: "Equal to service_version." }),
    zulip_merge_base: Type.String({ description: "Equal to service_merge_base." }),
  },
  moreFields: "The requested parts of the initial state, each under the names that its subject documents.",
  errors: [
    errors.missingNullCapability,
    errors.queryNotAuthorized,
    errors.eventNarrowOperator,
    errors.narrowTooLong,
    errors.spectatorSubscribers,
    errors.spectatorGravatar,
  ],
  emits: [],
  example: {
    parameters: { event_types: ["message"], client_capabilities: { notification_settings_null: true } },
    reply: {
      queue_id: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61",
      last_event_id: 1042,
      service_feature_level: 420,
      service_version: "11.0-parley-0.1.0",
      service_merge_base: "11.0-parley-0.1.0",
      zulip_feature_level: 420,
      zulip_version: "11.0-parley-0.1.0",
      zulip_merge_base: "11.0-parley-0.1.0",
    },
  },
  sample: () => ({ event_types: ["message"] }),
});

export const getEvents = endpoint({
  name: "getEvents",
  subject: "Real time",
  method: "GET",
  path: "/events",
  access: "user",
  summary: "Get events from a queue",
  description:
    "Returns all waiting events at once. If there are none, the server holds the request until one arrives; a heartbeat arrives at least once a minute. Events stay in the queue until a later call acknowledges them: it gives their ID, or a higher one, as `last_event_id`. With `dont_block` and without a queue, the call creates a queue from the parameters of `/register`.",
  parameters: {
    queue_id: optional(Type.String(), { description: "The queue, from `/register`." }),
    last_event_id: optional(Type.Integer({ minimum: -1 }), {
      description: "The newest event that the client has. The queue drops it and all events before it.",
    }),
    dont_block: optional(Type.Boolean(), {
      description: "Return at once, with an empty list if no events are waiting.",
    }),
    lifespan_secs: optional(Type.Integer({ minimum: 0 }), {
      description: "For a new queue: the same as `queue_lifespan_secs` of `/register`.",
    }),
    ...queueParameters,
  },
  reply: {
    events: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: "Greater than the ID of every earlier event." }),
          type: Type.String({ description: "The type of the event, which determines its other fields." }),
        },
        { additionalProperties: true },
      ),
      {
        description: "The events, oldest first.",
      },
    ),
    queue_id: Type.Optional(Type.String({ description: "The queue." })),
  },
  errors: [errors.badEventQueue, errors.eventPruned, errors.eventNotInQueue],
  emits: [],
  example: {
    parameters: { queue_id: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61", last_event_id: 1042 },
    reply: { events: [{ type: "heartbeat", id: 1043 }], queue_id: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61" },
  },
  sample: (ids) => ({ queue_id: ids.queueId, last_event_id: ids.lastEventId, dont_block: true }),
  streams: true,
});

export const deleteQueue = endpoint({
  name: "deleteQueue",
  subject: "Real time",
  method: "DELETE",
  path: "/events",
  access: "user",
  summary: "Delete an event queue",
  description: "Ends a queue that is no longer needed. A held poll returns with an empty list.",
  parameters: { queue_id: required(Type.String(), { description: "The queue, from `/register`." }) },
  reply: {},
  errors: [errors.badEventQueue],
  emits: [],
  example: { parameters: { queue_id: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61" }, reply: {} },
  sample: (ids) => ({ queue_id: ids.queueId }),
});
