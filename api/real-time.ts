import { Type } from "typebox";
import { endpoint, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";

const capabilities = Type.Record(Type.String(), Type.Boolean());

/** What a client may say that it understands; a queue remembers no others. */
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

/** More than there are, and longer than any is. */
const typeNames = Type.Array(Type.String({ maxLength: 60 }), { maxItems: 200 });
/** Longer than the name of anything that messages are narrowed by. */
const narrowTerm = Type.String({ maxLength: 500 });

const queueParameters = {
  apply_markdown: optional(Type.Boolean(), {
    description:
      "Whether message content comes as rendered HTML. By default it comes as the Markdown that was written.",
  }),
  client_gravatar: optional(Type.Boolean(), {
    description:
      "Whether the client works out avatar addresses of people without an uploaded picture by itself; `avatar_url` is then null for them. On by default for callers with an account.",
  }),
  include_subscribers: optional(Type.Union([Type.Boolean(), Type.Literal("partial")]), {
    description:
      "Whether channels come with their subscribers: `true`, `false`, or `partial`, where large channels may list only bots and people active in the last 14 days. `false` by default.",
  }),
  slim_presence: optional(Type.Boolean(), {
    description: "Whether presence is keyed by user ID and in the modern format.",
  }),
  presence_history_limit_days: optional(Type.Integer({ minimum: 0 }), {
    description: "How far back presence goes, in days; 14 by default.",
  }),
  event_types: optional(typeNames, {
    description: "The types of events the queue receives; all by default. Unknown types are passed over.",
  }),
  all_public_streams: optional(Type.Boolean(), {
    description:
      "Whether the queue receives the messages of all public channels, subscribed or not. Not for guests.",
  }),
  client_capabilities: optional(capabilities, {
    description: "Which newer forms of events the client understands, as an object of booleans.",
  }),
  fetch_event_types: optional(typeNames, {
    description: "Which parts of the initial state to return; as `event_types` when left out.",
  }),
  narrow: optional(Type.Array(Type.Array(narrowTerm, { minItems: 2, maxItems: 2 }), { maxItems: 50 }), {
    description:
      "Pairs of operator and operand that message events must match: `channel`, `topic`, `sender`, `is`.",
    invalid: "variable-invalid",
  }),
  queue_lifespan_secs: optional(Type.Integer({ minimum: 0 }), {
    description:
      "How long the queue outlives its last poll, in seconds: 600 unless more is asked for, a week at most.",
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
    "Returns the current state of what was asked for, and a queue that receives every change made after it. Someone without an account gets the state of what is public, and no queue.",
  parameters: queueParameters,
  reply: {
    queue_id: Type.Union([Type.String(), Type.Null()], {
      description: "The queue; null without an account.",
    }),
    last_event_id: Type.Integer({ description: "What to send as `last_event_id` at the first poll." }),
    service_feature_level: Type.Integer({ description: "The level of the API that the server speaks." }),
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
    errors.spectatorSubscribers,
    errors.spectatorGravatar,
  ],
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
    "Answers at once with all events that wait, and otherwise holds the request until one comes; a heartbeat comes at least once a minute. Events stay in the queue until a later call names them, or one after them, as `last_event_id`. With `dont_block` and without a queue, a queue is created from the parameters of `/register`.",
  parameters: {
    queue_id: optional(Type.String(), { description: "The queue, from `/register`." }),
    last_event_id: optional(Type.Integer({ minimum: -1 }), {
      description:
        "The newest event that the client has; it and everything before it is dropped from the queue.",
    }),
    dont_block: optional(Type.Boolean(), { description: "Answer at once, with no events if none wait." }),
    lifespan_secs: optional(Type.Integer({ minimum: 0 }), {
      description: "With a new queue: as `queue_lifespan_secs` of `/register`.",
    }),
    ...queueParameters,
  },
  reply: {
    events: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: "Greater than that of every event before it." }),
          type: Type.String({ description: "Which event it is; its other fields depend on this." }),
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
  description: "Ends a queue that is no longer needed. A poll that it holds is answered with no events.",
  parameters: { queue_id: required(Type.String(), { description: "The queue, from `/register`." }) },
  reply: {},
  errors: [errors.badEventQueue],
  example: { parameters: { queue_id: "0f3b3b52-9a5e-4a53-8a7e-2f1f4b7d2f61" }, reply: {} },
  sample: (ids) => ({ queue_id: ids.queueId }),
});
