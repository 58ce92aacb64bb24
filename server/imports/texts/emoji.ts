import { emojiCodeByName, emojiNameByCode } from "../../../markdown/emoji.ts";

const SKIN_TONE = /::skin-tone-[2-6]$/;

/** Names that Slack has for emoji that have others here. */
const aliases: Record<string, string> = {
  satisfied: "1f606",
  laughing: "1f606",
  slightly_smiling_face: "1f642",
  white_check_mark: "2705",
  heavy_check_mark: "2714",
  raised_hands: "1f64c",
  thinking_face: "1f914",
  rolling_on_the_floor_laughing: "1f923",
  partying_face: "1f973",
  "man-woman-girl": "1f468-200d-1f469-200d-1f467",
  "woman-shrugging": "1f937",
  "man-shrugging": "1f937",
  face_with_rolling_eyes: "1f644",
  white_frowning_face: "2639",
  heavy_plus_sign: "2795",
  flag: "1f6a9",
};

/** The emoji without its skin tone, which emoji here don't have. undefined: it is not in Unicode. */
export function unicodeEmoji(name: string): { emojiCode: string; emojiName: string } | undefined {
  const plain = name.replace(SKIN_TONE, "");
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
  const emojiCode = emojiCodeByName(plain) ?? alias;
  const emojiName = emojiCode === undefined ? undefined : emojiNameByCode(emojiCode);
  if (emojiCode === undefined || emojiName === undefined) return undefined;
  return { emojiCode, emojiName: emojiCodeByName(plain) === undefined ? emojiName : plain };
}
