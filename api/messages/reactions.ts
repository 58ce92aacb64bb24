import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";

const message = inPath(messageId, { description: "The message." });
const emojiCode = optional(Type.String({ minLength: 1, maxLength: 200 }), {
  description:
    "The emoji's code: code points in hexadecimal joined by dashes, or the ID of a custom emoji. By default it follows from the name.",
});
/** The types of emoji; the last is an older name for the one before. */
export const reactionTypeName = Type.Union([
  Type.Literal("unicode_emoji"),
  Type.Literal("realm_emoji"),
  Type.Literal("service_extra_emoji"),
  Type.Literal("zulip_extra_emoji"),
]);
const reactionType = optional(reactionTypeName, {
  description:
    "`unicode_emoji`, `realm_emoji` for a custom one, or `service_extra_emoji`. By default it follows from the name.",
});
const emojiName = Type.String({ minLength: 1, maxLength: 200 });

export const addReaction = endpoint({
  name: "addReaction",
  subject: "Reactions",
  method: "POST",
  path: "/messages/{message_id}/reactions",
  access: "user",
  summary: "Add an emoji reaction",
  description:
    "Reacts to a message that the caller can read. If others have reacted with the same emoji, the reaction joins theirs and takes the emoji name that they used.",
  parameters: {
    message_id: message,
    emoji_name: required(emojiName, { description: "The emoji's name, without colons." }),
    emoji_code: emojiCode,
    reaction_type: reactionType,
  },
  reply: {},
  errors: [
    errors.invalidMessage,
    errors.emojiDoesNotExist,
    errors.invalidEmojiCode,
    errors.reactionAlreadyExists,
  ],
  emits: ["reaction/add", "user_topic"],
  example: { parameters: { message_id: 72, emoji_name: "octopus" }, reply: {} },
  sample: (ids) => ({ message_id: ids.messageId, emoji_name: "octopus" }),
});

export const removeReaction = endpoint({
  name: "removeReaction",
  subject: "Reactions",
  method: "DELETE",
  path: "/messages/{message_id}/reactions",
  access: "user",
  summary: "Remove an emoji reaction",
  description: "Removes one of the caller's own reactions. Give the emoji's name, its code, or both.",
  parameters: {
    message_id: message,
    emoji_name: optional(emojiName, { description: "The emoji's name, without colons." }),
    emoji_code: emojiCode,
    reaction_type: reactionType,
  },
  reply: {},
  errors: [
    errors.invalidMessage,
    errors.emojiDoesNotExist,
    errors.emojiNotNamed,
    errors.reactionDoesNotExist,
  ],
  emits: ["reaction/remove"],
  example: { parameters: { message_id: 72, emoji_name: "octopus" }, reply: {} },
  sample: (ids) => ({ message_id: ids.messageId, emoji_name: "octopus" }),
});
