import { type Static, Type } from "typebox";
import { nullable } from "../fields.ts";
import { registerSection } from "../register-section.ts";

const customEmoji = Type.Object({
  id: Type.String({ description: "The emoji's ID." }),
  name: Type.String({ description: "Its name, without colons." }),
  source_url: Type.String({ description: "Where its picture is, below the organization's URL." }),
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

export const registerEmoji = registerSection({
  fields: {
    realm_emoji: Type.Record(Type.String(), customEmoji, {
      description: "The emoji that the organization made for itself, by ID.",
    }),
  },
});
