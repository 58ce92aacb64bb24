import { allCustomEmoji, exampleEmoji } from "../content/emoji.ts";
import { event } from "../event.ts";

export const customEmojiChanged = event({
  type: "realm_emoji",
  op: "update",
  description: "A custom emoji was added or deactivated.",
  payload: { realm_emoji: allCustomEmoji },
  example: { realm_emoji: exampleEmoji },
});
