import type { ChannelId } from "../../../api/ids.ts";

/** Colors that differ clearly on light and dark backgrounds. */
const palette = [
  "#5b8def",
  "#d96b6b",
  "#4fa66a",
  "#b58a2f",
  "#9a6fd1",
  "#2f9ea6",
  "#d1709f",
  "#7c8a3b",
  "#c4703c",
  "#5f7d95",
  "#8a6d5a",
  "#6a78c9",
] as const;

/**
 * A channel's color until a subscriber picks another. It is derived from the id, so all new subscribers
 * share an event.
 */
export function defaultColor(channelId: ChannelId): string {
  return palette[channelId % palette.length] as string;
}

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** A color as it is stored, with six digits; undefined if the text is not a color. */
export function parseColor(text: string): string | undefined {
  if (!COLOR.test(text)) return undefined;
  return text.length === 7 ? text : text.replace(/[0-9a-f]/gi, "$&$&");
}
