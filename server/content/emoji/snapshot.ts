import { registerEmoji } from "../../../api/register/emoji.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { customEmoji } from "./custom-emoji.ts";
import { presentCustomEmoji } from "./present.ts";

/** All custom emoji by ID, including deactivated ones, since reactions may use them. */
export const emojiSection = sectionOf(registerEmoji, ({ state, wants }) => {
  if (!wants("realm_emoji")) return undefined;
  return { realm_emoji: presentCustomEmoji(state.organizationId, state.get(customEmoji).byId.values()) };
});
