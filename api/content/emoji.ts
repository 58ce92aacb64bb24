/** Emoji that an organization makes for itself, beside those of Unicode. */
import { type Static, Type } from "typebox";
import { endpoint, inPath } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { nullable } from "../fields.ts";
import { MAX_EMOJI_FILE_MIB, MAX_EMOJI_NAME_LENGTH } from "../limits.ts";
import { samplePicture } from "../sample-picture.ts";

export const customEmoji = Type.Object({
  id: Type.String({ description: "The emoji's ID." }),
  name: Type.String({ description: "Its name, without colons." }),
  source_url: Type.String({
    description: "Where its picture is, below the organization's URL. It can be loaded without credentials.",
  }),
  still_url: nullable(
    Type.String(),
    "Where a still picture of it is; null if the picture does not move anyway.",
  ),
  deactivated: Type.Boolean({
    description: "Whether it is out of use; messages and reactions may have it still.",
  }),
  author_id: nullable(Type.Integer(), "Who added it; null if that is not known."),
});

export type CustomEmojiRecord = Static<typeof customEmoji>;

export const allCustomEmoji = Type.Record(Type.String(), customEmoji, {
  description: "The emoji that the organization made for itself, by ID, with those out of use.",
});

export const exampleEmoji: Record<string, CustomEmojiRecord> = {
  "3": {
    id: "3",
    name: "party_soup",
    source_url: "/user_avatars/1/emoji/images/9f1c2a7be04d4c55b7e6a1d2c3b4f506.webp",
    still_url: "/user_avatars/1/emoji/images/still/9f1c2a7be04d4c55b7e6a1d2c3b4f506.png",
    deactivated: false,
    author_id: 12,
  },
};

const nameInPath = Type.String({ maxLength: MAX_EMOJI_NAME_LENGTH });

export const getCustomEmoji = endpoint({
  name: "getCustomEmoji",
  subject: "Emoji",
  method: "GET",
  path: "/realm/emoji",
  access: "user",
  summary: "List custom emoji",
  description: "Gives all custom emoji of the organization, with those out of use.",
  parameters: {},
  reply: { emoji: allCustomEmoji },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { emoji: exampleEmoji } },
  sample: () => ({}),
});

export const addCustomEmoji = endpoint({
  name: "addCustomEmoji",
  subject: "Emoji",
  method: "POST",
  path: "/realm/emoji/{emoji_name}",
  access: "member",
  summary: "Add a custom emoji",
  description:
    "Adds an emoji with the picture that the request brings: PNG, GIF, JPEG, WebP or AVIF. The picture is made 64 pixels wide and high. A moving one stays so. The permission is `can_add_custom_emoji_group`.",
  parameters: {
    emoji_name: inPath(nameInPath, {
      description:
        "Its name: lower-case letters of English, digits, `-` and `_`, with a letter or digit at the end. Spaces become `_`. Only administrators can take the name of a Unicode emoji, which it then replaces. The name of an emoji out of use can be taken again.",
    }),
  },
  files: {
    maxCount: 1,
    maxBytes: MAX_EMOJI_FILE_MIB * 2 ** 20,
    description: "The picture.",
    sample: samplePicture,
  },
  reply: {},
  errors: [
    errors.emojiNameMissing,
    errors.emojiNameCharacters,
    errors.emojiNameEnd,
    errors.emojiNameTaken,
    errors.builtInEmojiName,
    errors.exactlyOneFile,
    errors.invalidImageFormat,
    errors.unreadableImage,
    errors.imageTooLarge,
    errors.tooManyInOrganization,
    errors.overQuota,
    errors.insufficientPermission,
  ],
  emits: ["realm_emoji/update"],
  example: { parameters: { emoji_name: "party_soup" }, reply: {} },
  sample: (ids) => ({ emoji_name: ids.freshName.toLowerCase().replace(/[^a-z0-9]+/g, "_") }),
});

export const deactivateCustomEmoji = endpoint({
  name: "deactivateCustomEmoji",
  subject: "Emoji",
  method: "DELETE",
  path: "/realm/emoji/{emoji_name}",
  access: "user",
  summary: "Deactivate a custom emoji",
  description:
    "Takes an emoji out of use. Messages and reactions that have it keep it. Administrators can do this, and the person who added it.",
  parameters: { emoji_name: inPath(nameInPath, { description: "The emoji's name." }) },
  reply: {},
  errors: [errors.customEmojiDoesNotExist, errors.notEmojiAuthor],
  emits: ["realm_emoji/update"],
  example: { parameters: { emoji_name: "party_soup" }, reply: {} },
  sample: (ids) => ({ emoji_name: ids.emojiName }),
});
