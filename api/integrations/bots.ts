/** Bots: accounts that programs use, and what the server keeps for those programs. */
import { type Static, Type } from "typebox";
import { avatarFiles, pictureErrors } from "../content/avatars.ts";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { described, nullable, userRole } from "../fields.ts";
import {
  MAX_BOT_CONFIG_ENTRIES,
  MAX_BOT_CONFIG_KEY_LENGTH,
  MAX_BOT_CONFIG_VALUE_LENGTH,
  MAX_BOT_STORAGE_KEY_LENGTH,
  MAX_BOT_STORAGE_KEYS,
  MAX_BOT_STORAGE_LENGTH,
  MAX_BOTS,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_FULL_NAME_LENGTH,
  MAX_PAYLOAD_URL_LENGTH,
  MAX_SERVICE_NAME_LENGTH,
  MIN_FULL_NAME_LENGTH,
} from "../limits.ts";
import { given, inSession, ofBotKey, ofRole } from "../proof.ts";

/** What a bot's program may do, and whether the server calls it. */
export const botTypes = {
  /** Uses the same API as people's clients. */
  generic: 1,
  /** Can only send messages. */
  incomingWebhook: 2,
  /** Like a generic one, and the server also calls its program. */
  outgoingWebhook: 3,
  /** A program that the server itself runs. This server has none. */
  embedded: 4,
} as const;

/** How the server calls the program of an outgoing webhook bot. */
export const interfaceTypes = { generic: 1, slack: 2 } as const;

const config = Type.Record(
  Type.String({ maxLength: MAX_BOT_CONFIG_KEY_LENGTH }),
  Type.String({ maxLength: MAX_BOT_CONFIG_VALUE_LENGTH }),
  { maxProperties: MAX_BOT_CONFIG_ENTRIES },
);

const defaults = {
  default_sending_stream: nullable(Type.String(), "The channel that its messages go to if they name none."),
  default_events_register_stream: nullable(
    Type.String(),
    "The channel to which its event queues are narrowed, if a queue has no `narrow` of its own.",
  ),
  default_all_public_streams: Type.Boolean({
    description: "Whether its event queues are for all public channels, if they do not say so themselves.",
  }),
};

const tokenText = "What each call carries, so that the program knows who calls.";
const serviceFields = {
  base_url: Type.String({ description: "The address that the server calls." }),
  interface: Type.Integer({ description: "How it is called: 1 generic, 2 as Slack does." }),
};
const service = Type.Object({ ...serviceFields, token: Type.String({ description: tokenText }) });
const serviceText = "What the server calls; one for an outgoing webhook bot.";

/** A person with another's browser in hand must not get what works without it: decision 56. */
const NOT_IN_SESSION = "Absent in a session, where `POST /bots/{bot_id}/api_key` gives it.";
const readableService = Type.Object({
  ...serviceFields,
  token: Type.Optional(Type.String({ description: `${tokenText} ${NOT_IN_SESSION}` })),
});

const fields = {
  user_id: Type.Integer({ description: "The bot's ID." }),
  full_name: Type.String({ description: "Its name." }),
  email: Type.String({ description: "The email address that identifies it in the API." }),
  bot_type: Type.Integer({ description: "1 generic, 2 incoming webhook, 3 outgoing webhook." }),
  api_key: Type.Optional(Type.String({ description: `Its API key. ${NOT_IN_SESSION}` })),
  ...defaults,
  avatar_url: nullable(Type.String(), "The address of its picture."),
  owner_id: nullable(Type.Integer(), "The person who owns it."),
  is_active: Type.Boolean({ description: "False for a deactivated bot." }),
  services: Type.Array(readableService, { description: serviceText }),
};

/** A bot as its owner and administrators see it. */
export const bot = Type.Object(fields);
export type BotRecord = Static<typeof bot>;

const { user_id: userId, ...changeable } = fields;

/** Some fields of a bot. */
export const changedBot = Type.Object({
  user_id: userId,
  ...Type.Partial(Type.Object(changeable)).properties,
});

const exampleDefaults = {
  default_sending_stream: "general",
  default_events_register_stream: null,
  default_all_public_streams: false,
};

export const exampleBot: BotRecord = {
  user_id: 25,
  full_name: "Build Bot",
  email: "build-bot@demo.test",
  bot_type: botTypes.outgoingWebhook,
  api_key: "<API_KEY>",
  ...exampleDefaults,
  avatar_url: "/user_avatars/drawn/42-42-c9.png",
  owner_id: 10,
  is_active: true,
  services: [{ base_url: "https://build.example.com/chat", interface: 1, token: "<WEBHOOK_TOKEN>" }],
};

const fullName = `The name, of ${MIN_FULL_NAME_LENGTH} to ${MAX_FULL_NAME_LENGTH} characters.`;
const configData = `Settings of its program, by name: at most ${MAX_BOT_CONFIG_ENTRIES} texts.`;
const channelName = (what: string) =>
  optional(Type.String({ maxLength: MAX_CHANNEL_NAME_LENGTH }), {
    description: `${what} It is a channel that the caller can see.`,
  });
/** COMPAT: clients send the address as JSON or as plain text. */
const payloadUrl = (description: string) =>
  optional(Type.String({ maxLength: MAX_PAYLOAD_URL_LENGTH }), { description, encoding: "either" });
const interfaceType = (description: string) =>
  optional(Type.Enum(Object.values(interfaceTypes)), { description });
const botId = inPath(Type.Integer({ minimum: 0 }), { description: "The bot." });

export const getBots = endpoint({
  name: "getBots",
  subject: "Bots",
  method: "GET",
  path: "/bots",
  access: "member",
  summary: "Get own bots",
  description:
    "Returns the active bots that the caller owns. With an API key they come with their API keys and tokens, and in a session without.",
  parameters: {},
  reply: {
    bots: Type.Array(
      Type.Object({
        ...fields,
        username: Type.String({ description: "The same as `email`." }),
      }),
      { description: "The bots, the oldest first." },
    ),
  },
  errors: [errors.botsNotAccepted],
  emits: [],
  example: { parameters: {}, reply: { bots: [{ ...exampleBot, username: exampleBot.email }] } },
  sample: () => ({}),
});

export const createBot = endpoint({
  name: "createBot",
  subject: "Bots",
  method: "POST",
  path: "/bots",
  access: "member",
  proof: inSession("user_created"),
  summary: "Create a bot",
  description: `Makes a bot that the caller owns. It is in no channel at first. All clients get an event for the account. The owner and administrators get one for the bot too. A person can own at most ${MAX_BOTS} active bots.`,
  parameters: {
    full_name: required(Type.String(), { description: fullName }),
    short_name: required(Type.String(), {
      description:
        "The first part of its email address, to which `-bot` is added: letters and digits, with single dots, dashes or underscores between them.",
    }),
    bot_type: optional(Type.Enum(Object.values(botTypes)), {
      description:
        "1 for a generic bot, 2 for an incoming webhook, which can only send messages, 3 for an outgoing webhook, which the server calls. 4 is refused: this server runs no bots itself. 1 by default.",
    }),
    payload_url: payloadUrl(
      `The address that the server calls for an outgoing webhook bot, of at most ${MAX_PAYLOAD_URL_LENGTH} characters. Such a bot needs it.`,
    ),
    service_name: optional(Type.String({ maxLength: MAX_SERVICE_NAME_LENGTH }), {
      description: `A name for what the bot is connected to, of at most ${MAX_SERVICE_NAME_LENGTH} characters.`,
    }),
    interface_type: interfaceType(
      "How the server calls an outgoing webhook bot: 1 with JSON, 2 as Slack does. 1 by default.",
    ),
    config_data: optional(config, { description: configData }),
    default_sending_stream: channelName("The channel that its messages go to if they name none."),
    default_events_register_stream: channelName("The channel to which its event queues are narrowed."),
    default_all_public_streams: optional(Type.Boolean(), {
      description: "Whether its event queues are for all public channels. `false` by default.",
    }),
  },
  files: {
    ...avatarFiles,
    isOptional: true,
    description: `Its picture, which is optional. ${avatarFiles.description}`,
  },
  reply: {
    user_id: Type.Integer({ description: "The bot's ID." }),
    api_key: Type.String({ description: "Its API key." }),
    avatar_url: fields.avatar_url,
    ...defaults,
  },
  errors: [
    errors.botsNotAccepted,
    errors.insufficientPermission,
    errors.embeddedBotsNotEnabled,
    errors.invalidEmail,
    errors.emailTaken,
    errors.fullNameLength,
    errors.invalidFullName,
    errors.nameTaken,
    errors.invalidPayloadUrl,
    errors.noChannelOfThatName,
    errors.personalLimit,
    errors.tooManyInOrganization,
    ...pictureErrors,
  ],
  emits: ["realm_user/add", "realm_bot/add", "user_group/add_members"],
  example: {
    parameters: {
      full_name: "Build Bot",
      short_name: "build",
      bot_type: botTypes.outgoingWebhook,
      payload_url: "https://build.example.com/chat",
    },
    reply: {
      user_id: 25,
      api_key: "<API_KEY>",
      avatar_url: exampleBot.avatar_url,
      ...exampleDefaults,
      default_sending_stream: null,
    },
  },
  sample: (ids) => ({ full_name: `Bot ${ids.freshName}`, short_name: ids.freshName }),
});

const newOwner = { when: { bot_owner_id: given }, entry: "bot_updated" };

export const updateBot = endpoint({
  name: "updateBot",
  subject: "Bots",
  method: "PATCH",
  path: "/bots/{bot_id}",
  access: "member",
  proof: {
    rules: [
      ...ofRole("role", "bot_id", "user_role_changed"),
      // The owner can get the bot's key.
      { level: "in a session", ...newOwner, administrator: "bot_id", givesHighRole: true },
      { level: "in a session", ...newOwner },
      // The address gets the token.
      { level: "in a session", when: { service_payload_url: given }, entry: "bot_updated" },
    ],
  },
  summary: "Update a bot",
  description:
    "Changes a bot. Its owner and administrators can do that. Only administrators can change its role, and only owners of the organization can give or take the role of an owner. What is not given stays as it is.",
  parameters: {
    bot_id: botId,
    full_name: optional(Type.String(), { description: fullName }),
    role: optional(userRole, { description: "The new role." }),
    bot_owner_id: optional(Type.Integer(), { description: "The person who owns it from now on." }),
    service_payload_url: payloadUrl("The address that the server calls, for an outgoing webhook bot."),
    service_interface: interfaceType(
      "How it is called: 1 with JSON, 2 as Slack does. It counts together with `service_payload_url`; 1 by default.",
    ),
    config_data: optional(config, { description: `${configData} Names that are not given stay.` }),
    default_sending_stream: channelName(
      "The channel that its messages go to if they name none; an empty text for none.",
    ),
    default_events_register_stream: channelName(
      "The channel to which its event queues are narrowed; an empty text for none.",
    ),
    default_all_public_streams: optional(Type.Boolean(), {
      description: "Whether its event queues are for all public channels.",
    }),
  },
  files: {
    ...avatarFiles,
    isOptional: true,
    description: `A new picture, which is optional. ${avatarFiles.description}`,
  },
  reply: {
    full_name: fields.full_name,
    avatar_url: fields.avatar_url,
    bot_owner: Type.Optional(Type.String({ description: "The owner's email address." })),
    service_payload_url: nullable(Type.String(), "The address that the server calls; null for none."),
    service_interface: Type.Integer({ description: "How it is called." }),
    config_data: Type.Optional(described(config, "Settings of its program, by name. Absent in a session.")),
    ...defaults,
  },
  errors: [
    errors.botsNotAccepted,
    errors.noSuchBot,
    errors.insufficientPermission,
    errors.mustBeAdministrator,
    errors.mustBeOwner,
    errors.fullNameLength,
    errors.invalidFullName,
    errors.nameTaken,
    errors.noSuchNewOwner,
    errors.newOwnerDeactivated,
    errors.newOwnerIsBot,
    errors.personalLimit,
    errors.noServiceToChange,
    errors.invalidPayloadUrl,
    errors.noChannelOfThatName,
    errors.tooMuchBotConfig,
    ...pictureErrors,
  ],
  emits: [
    "update_message_flags/add",
    "stream/create",
    "stream/delete",
    "subscription/peer_add",
    "default_streams",
    "default_stream_groups",
    "realm_user/update",
    "realm_bot/add",
    "realm_bot/update",
    "realm_bot/delete",
    "user_group/add_members",
    "user_group/remove_members",
  ],
  example: {
    parameters: { bot_id: 8, full_name: "Echo Bot 2" },
    reply: {
      full_name: "Echo Bot 2",
      avatar_url: exampleBot.avatar_url,
      bot_owner: "ben@demo.test",
      service_payload_url: null,
      service_interface: 1,
      config_data: {},
      ...exampleDefaults,
    },
  },
  sample: (ids) => ({ bot_id: ids.botId, full_name: `Bot ${ids.freshName}` }),
});

export const deactivateBot = endpoint({
  name: "deactivateBot",
  subject: "Bots",
  method: "DELETE",
  path: "/bots/{bot_id}",
  access: "member",
  summary: "Deactivate a bot",
  description:
    "Deactivates a bot. Its owner and administrators can do that. Its API key stops working and its event queues end at once. `POST /users/{user_id}/reactivate` takes it back into use.",
  parameters: { bot_id: botId },
  reply: {},
  errors: [
    errors.botsNotAccepted,
    errors.noSuchBot,
    errors.insufficientPermission,
    errors.mustBeOwner,
    errors.targetDeactivated,
  ],
  emits: ["realm_user/update", "realm_bot/update", "user_group/remove_members", "subscription/peer_remove"],
  example: { parameters: { bot_id: 8 }, reply: {} },
  sample: (ids) => ({ bot_id: ids.botId }),
});

export const getBotApiKey = endpoint({
  name: "getBotApiKey",
  subject: "Bots",
  // A GET would have what proves the person in its address, which proxies and browsers keep.
  method: "POST",
  path: "/bots/{bot_id}/api_key",
  access: "member",
  proof: ofBotKey("bot_id", "api_key_shown"),
  summary: "Get a bot's API key",
  description:
    "Returns the API key of a bot, and the tokens of what the server calls for it. Its owner and administrators can do that.",
  parameters: { bot_id: botId },
  reply: {
    api_key: Type.String({ description: "The API key." }),
    services: Type.Array(service, { description: serviceText }),
  },
  errors: [errors.botsNotAccepted, errors.noSuchBot, errors.insufficientPermission, errors.mustBeOwner],
  emits: [],
  example: { parameters: { bot_id: 8 }, reply: { api_key: "<API_KEY>", services: [] } },
  sample: (ids) => ({ bot_id: ids.botId }),
});

export const regenerateBotApiKey = endpoint({
  name: "regenerateBotApiKey",
  subject: "Bots",
  method: "POST",
  path: "/bots/{bot_id}/api_key/regenerate",
  access: "member",
  proof: ofBotKey("bot_id", "api_key_regenerated"),
  summary: "Regenerate a bot's API key",
  description:
    "Gives a bot a new API key. Its owner and administrators can do that. The old key stops working at once.",
  parameters: { bot_id: botId },
  reply: { api_key: Type.String({ description: "The new API key." }) },
  errors: [
    errors.botsNotAccepted,
    errors.noSuchBot,
    errors.insufficientPermission,
    errors.mustBeOwner,
    errors.overQuota,
  ],
  emits: ["realm_bot/update"],
  example: { parameters: { bot_id: 8 }, reply: { api_key: "<API_KEY>" } },
  sample: (ids) => ({ bot_id: ids.botId }),
});

const storageLimits = `A bot can have at most ${MAX_BOT_STORAGE_KEYS} keys of at most ${MAX_BOT_STORAGE_KEY_LENGTH} characters. Keys and values have at most ${MAX_BOT_STORAGE_LENGTH} characters together.`;
const storageKey = Type.String({ maxLength: MAX_BOT_STORAGE_KEY_LENGTH });
const storageKeys = (description: string) =>
  optional(Type.Array(storageKey, { maxItems: MAX_BOT_STORAGE_KEYS }), { description });

export const getBotStorage = endpoint({
  name: "getBotStorage",
  subject: "Bots",
  method: "GET",
  path: "/bot_storage",
  access: "user",
  summary: "Get a bot's storage",
  description: "Returns texts that the calling bot has stored on the server.",
  parameters: { keys: storageKeys("The keys of the texts; by default all.") },
  reply: { storage: Type.Record(Type.String(), Type.String(), { description: "The texts by key." }) },
  errors: [errors.onlyForBots, errors.noStorageKey],
  emits: [],
  example: { parameters: { keys: ["last_build"] }, reply: { storage: { last_build: "1042" } } },
  sample: () => ({}),
});

export const updateBotStorage = endpoint({
  name: "updateBotStorage",
  subject: "Bots",
  method: "PUT",
  path: "/bot_storage",
  access: "user",
  summary: "Update a bot's storage",
  description: `Stores texts for the calling bot. A key that is there already gets the new text. ${storageLimits}`,
  parameters: {
    storage: required(
      Type.Record(storageKey, Type.String({ maxLength: MAX_BOT_STORAGE_LENGTH }), {
        maxProperties: MAX_BOT_STORAGE_KEYS,
      }),
      { description: "The texts by key." },
    ),
  },
  reply: {},
  errors: [errors.onlyForBots, errors.botStorageFull],
  emits: [],
  example: { parameters: { storage: { last_build: "1042" } }, reply: {} },
  sample: (ids) => ({ storage: { [ids.freshName]: "1042" } }),
});

export const removeBotStorage = endpoint({
  name: "removeBotStorage",
  subject: "Bots",
  method: "DELETE",
  path: "/bot_storage",
  access: "user",
  summary: "Remove a bot's storage",
  description: "Deletes texts that the calling bot has stored.",
  parameters: { keys: storageKeys("The keys of the texts; by default all.") },
  reply: {},
  errors: [errors.onlyForBots, errors.noStorageKey],
  emits: [],
  example: { parameters: { keys: ["last_build"] }, reply: {} },
  sample: () => ({}),
});
