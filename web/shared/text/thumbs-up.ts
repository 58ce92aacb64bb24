import type { Emoji } from "../../../client/autocomplete/emoji.ts";

/** What one key reacts with. It is needed before the table of all others. */
export const thumbsUp: Emoji = {
  names: ["+1"],
  code: "1f44d",
  type: "unicode_emoji",
  category: "people",
  picture: undefined,
};
