/** The hue of a channel's colour. Lightness and strength are ours, so that the sign can always be seen. */
export function channelHue(color: string | undefined): number {
  const [red = 0, green = 0, blue = 0] = (color?.match(/[0-9a-f]{2}/gi) ?? []).map(
    (part) => Number.parseInt(part, 16) / 255,
  );
  const top = Math.max(red, green, blue);
  const range = top - Math.min(red, green, blue);
  if (range === 0) return 265;
  const turn =
    top === red
      ? (green - blue) / range
      : top === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  // The circles of HSL and OKLCH begin at different reds.
  return Math.round((turn * 60 + 360 + 29) % 360);
}
