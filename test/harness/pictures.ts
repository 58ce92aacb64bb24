/** Pictures of all formats, made when a test needs them. */
import sharp from "sharp";

export type PictureFormat = "png" | "jpeg" | "webp" | "gif" | "avif";

/** A still picture with a gradient, so that no format makes it tiny. */
export function picture(format: PictureFormat, width: number, height: number): Promise<Buffer> {
  return (
    sharp(gradient(width, height, 0), { raw: { width, height, channels: 3 } })
      // The default effort for AVIF takes a second of processor time a picture.
      .toFormat(format, format === "avif" ? { effort: 0 } : {})
      .toBuffer()
  );
}

/** A moving picture: each frame has other colours. */
export function animation(
  format: "gif" | "webp",
  width: number,
  height: number,
  frames: number,
): Promise<Buffer> {
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, frame) => gradient(width, height, 90 * frame)),
  );
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .toFormat(format)
    .toBuffer();
}

function gradient(width: number, height: number, shift: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7 + (at % 3) * 50 + shift) % 256;
  return pixels;
}
