import { unicodeEmoji } from "../texts/emoji.ts";

const SKIN_TONE = /_(?:light|medium_light|medium|medium_dark|dark)_skin_tone$/;

/** An emoji of Unicode by its name in Mattermost, without its skin tone. undefined: there is none. */
export function standardEmoji(name: string): ReturnType<typeof unicodeEmoji> {
  return unicodeEmoji(name) ?? unicodeEmoji(name.replace(SKIN_TONE, ""));
}
