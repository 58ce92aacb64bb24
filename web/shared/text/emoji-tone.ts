/**
 * Skin tones. The server's table of emoji has none, so a reaction or a status can't have one. In a text, the
 * characters are written as they are.
 */
import { createSignal } from "solid-js";
import type { Emoji } from "../../../client/autocomplete/emoji.ts";
import { readStored, writeStored } from "../state/browser-storage.ts";

const STORED = "parley.emoji-tone";
const CAN_HAVE = /\p{Emoji_Modifier_Base}/u;
/** No font draws its tones. */
const FAMILY = "1f46a";

/** The modifiers; the first entry is none. */
export const tones = ["", "1f3fb", "1f3fc", "1f3fd", "1f3fe", "1f3ff"] as const;
export type Tone = (typeof tones)[number];

const [tone, setTone] = createSignal<Tone>(tones.find((one) => one === readStored(STORED)) ?? "");

export { tone };

export function chooseTone(wanted: Tone): void {
  setTone(wanted);
  writeStored(STORED, wanted);
}

/** Its code with the tone, where it can have one: it shows one person, or a part of one. */
export function withTone({ code, type }: Pick<Emoji, "code" | "type">, wanted: Tone): string {
  if (wanted === "" || type !== "unicode_emoji" || code === FAMILY) return code;
  const points = code.split("-");
  const canHave = (point: string) => CAN_HAVE.test(String.fromCodePoint(Number.parseInt(point, 16)));
  const able = points.filter(canHave);
  if (able.length !== 1) return code;
  return points.map((point) => (point === able[0] ? `${point}-${wanted}` : point)).join("-");
}
