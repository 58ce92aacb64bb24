import { Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_STATUS_TEXT_LENGTH } from "../limits.ts";
import { reactionTypeName } from "../messages/reactions.ts";

/** The parts of a status. Those that are empty are left out, except in events. */
export const userStatus = {
  away: Type.Optional(
    Type.Boolean({ description: "Whether the person has turned off `presence_enabled`. Deprecated." }),
  ),
  status_text: Type.Optional(Type.String({ description: "What the person says." })),
  emoji_name: Type.Optional(Type.String({ description: "The emoji's name, without colons." })),
  emoji_code: Type.Optional(
    Type.String({ description: "The emoji's code points in hexadecimal, or the ID of a custom emoji." }),
  ),
  reaction_type: Type.Optional(
    Type.String({
      description: "The emoji's type: `unicode_emoji`, `realm_emoji` or `service_extra_emoji`.",
    }),
  ),
};

const parameters = {
  status_text: optional(Type.String({ maxLength: MAX_STATUS_TEXT_LENGTH }), {
    description:
      "What to say, at most 60 characters. An empty text removes it. By default it stays as it is.",
  }),
  emoji_name: optional(Type.String({ maxLength: 200 }), {
    description: "An emoji's name, without colons. An empty name removes it. By default it stays as it is.",
  }),
  emoji_code: optional(Type.String({ maxLength: 200 }), {
    description:
      "The emoji's code: code points in hexadecimal joined by dashes, or the ID of a custom emoji. By default it follows from the name.",
  }),
  reaction_type: optional(reactionTypeName, {
    description:
      "`unicode_emoji`, `realm_emoji` for a custom one, or `service_extra_emoji`. By default it follows from the name.",
  }),
};

const statusErrors = [
  errors.botsNotAccepted,
  errors.noNewStatus,
  errors.statusEmojiNotNamed,
  errors.emojiDoesNotExist,
  errors.invalidEmojiCode,
  errors.overQuota,
];
const personId = inPath(Type.Integer({ minimum: 0 }), { description: "The person." });

export const updateOwnStatus = endpoint({
  name: "updateOwnStatus",
  subject: "User status",
  method: "POST",
  path: "/users/me/status",
  access: "user",
  summary: "Set one's status",
  description: "Sets what the caller says that they are doing. Only the given parts change.",
  parameters: {
    ...parameters,
    away: optional(Type.Boolean(), {
      description: "The opposite of the setting `presence_enabled`, which it changes. Deprecated.",
    }),
  },
  reply: {},
  errors: statusErrors,
  emits: ["user_status", "user_settings/update", "update_global_notifications"],
  example: { parameters: { status_text: "On vacation", emoji_name: "car" }, reply: {} },
  sample: (ids) => ({ status_text: ids.freshName }),
});

export const getUserStatus = endpoint({
  name: "getUserStatus",
  subject: "User status",
  method: "GET",
  path: "/users/{user_id}/status",
  access: "user",
  summary: "Get a person's status",
  description: "Returns what a person says that they are doing.",
  parameters: { user_id: personId },
  reply: { status: Type.Object(userStatus, { description: "The parts that are not empty." }) },
  errors: [errors.noSuchUser],
  emits: [],
  example: {
    parameters: { user_id: 5 },
    reply: {
      status: {
        status_text: "On vacation",
        emoji_name: "car",
        emoji_code: "1f697",
        reaction_type: "unicode_emoji",
      },
    },
  },
  sample: (ids) => ({ user_id: ids.userId }),
});

export const updateUserStatus = endpoint({
  name: "updateUserStatus",
  subject: "User status",
  method: "POST",
  path: "/users/{user_id}/status",
  access: "administrator",
  summary: "Set another person's status",
  description: "Sets what a person says that they are doing. Only the given parts change.",
  parameters: { user_id: personId, ...parameters },
  reply: {},
  errors: [errors.noSuchUser, ...statusErrors],
  emits: ["user_status"],
  example: { parameters: { user_id: 5, status_text: "" }, reply: {} },
  sample: (ids) => ({ user_id: ids.userId, status_text: "On vacation" }),
});
