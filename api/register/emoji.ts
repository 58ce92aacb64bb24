import { allCustomEmoji } from "../content/emoji.ts";
import { registerSection } from "../register-section.ts";

export const registerEmoji = registerSection({ fields: { realm_emoji: allCustomEmoji } });
