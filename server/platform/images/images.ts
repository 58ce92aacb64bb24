/**
 * Pictures from files that anybody may have sent. A picture is always decoded and encoded again, so nothing
 * of the file but its pixels reaches others: no metadata, no places, nothing behind the picture.
 *
 * The format is recognised by the first bytes, and the dimensions are read from the header. What is too large
 * is refused before anything is decoded. The library is loaded with the first picture.
 */
import type { Metadata, Sharp, SharpOptions } from "sharp";
import { FairQueue, NoPlace } from "../std/fair-queue.ts";
import { ImageError } from "./image-error.ts";
import { formatOf, type ImageFormat } from "./image-format.ts";

export interface ImageInfo {
  format: ImageFormat;
  /** As people see it: turned as the file says. */
  width: number;
  height: number;
  frames: number;
  isAnimated: boolean;
}

export interface ImageLimits {
  /** How many pixels all frames that are read may have together. */
  maxPixels?: number;
  maxFrames?: number;
}

export interface ThumbnailOptions extends ImageLimits {
  /** From whom the picture is. */
  holder: string;
  width: number;
  height: number;
  /**
   * `cover` fills the size and cuts what is beyond it. `contain` fills it with transparent borders. `inside`
   * keeps the proportions, and never enlarges.
   */
  fit: "cover" | "contain" | "inside";
  /** Whether a moving picture stays one. Otherwise its first frame is used. */
  isAnimated: boolean;
  /**
   * The format of a still picture. By default PNG, which loses nothing. WebP makes photographs much smaller.
   */
  stillFormat?: "png" | "webp";
}

export interface Thumbnail {
  bytes: Buffer;
  /** WebP for a moving picture. */
  contentType: "image/png" | "image/webp";
  width: number;
  height: number;
  isAnimated: boolean;
}

/** A decoded picture takes four bytes a pixel, so the largest takes 200 MB. */
const MAX_PIXELS = 50_000_000;
/** A pixel of AVIF takes many times as long, and a file of a kilobyte may have millions. */
const MAX_AVIF_PIXELS = 16_000_000;
const MAX_FRAMES = 500;
const MAX_SECONDS = 10;
/** Each takes a thread of those that also read files and check passwords. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;

const queue = new FairQueue(MAX_RUNNING, { pictures: { maxWaiting: MAX_WAITING, maxRunningOfKey: 1 } });

/**
 * What the header of a file says. Throws an ImageError if it is no picture, or one over the limits. `holder`:
 * from whom it is, so that one person's pictures do not take all places.
 */
export async function readImageInfo(
  path: string,
  holder: string,
  limits: ImageLimits = {},
): Promise<ImageInfo> {
  const format = await formatOf(path);
  if (!format) throw new ImageError("format");
  return inTurn(holder, () => readInfo(path, format, limits));
}

/** Makes a small picture of the one in a file. Throws an ImageError if that is not possible. */
export async function makeThumbnail(path: string, options: ThumbnailOptions): Promise<Thumbnail> {
  const format = await formatOf(path);
  if (!format) throw new ImageError("format");
  return inTurn(options.holder, async () => {
    const limits = options.isAnimated ? options : { ...options, maxFrames: Infinity };
    const info = await readInfo(path, format, limits, options.isAnimated);
    return encode(path, options, options.isAnimated && info.isAnimated);
  });
}

/**
 * What a picture takes of its sender's share of files: one for so many pixels as a decoder manages in the
 * time of a large photograph of one MiB.
 */
export function costOf({ format, width, height, frames }: ImageInfo): number {
  return Math.ceil((width * height * frames) / (format === "avif" ? 500_000 : 4_000_000));
}

async function inTurn<T>(holder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await queue.enter("pictures", holder, work).result;
  } catch (error) {
    throw error instanceof NoPlace ? new ImageError("busy") : error;
  }
}

async function readInfo(
  path: string,
  format: ImageFormat,
  { maxPixels = MAX_PIXELS, maxFrames = MAX_FRAMES }: ImageLimits,
  areAllDecoded = true,
): Promise<ImageInfo> {
  // The header alone is read, so the limit on pixels, which would also end that, is checked here.
  const found = await attempt(async () => (await open(path, { limitInputPixels: false })).metadata());
  const { width, height, frames } = dimensionsOf(found);
  if (frames > maxFrames) throw new ImageError("frames");
  const limit = format === "avif" ? Math.min(maxPixels, MAX_AVIF_PIXELS) : maxPixels;
  if (width * height * (areAllDecoded ? frames : 1) > limit) throw new ImageError("size");
  return { format, width, height, frames, isAnimated: frames > 1 };
}

function dimensionsOf(found: Metadata): Pick<ImageInfo, "width" | "height" | "frames"> {
  const { width, height, pages: frames = 1, pageHeight = height, orientation = 1 } = found;
  // From 5 on the picture lies on its side.
  return orientation >= 5
    ? { width: pageHeight, height: width, frames }
    : { width, height: pageHeight, frames };
}

async function encode(path: string, options: ThumbnailOptions, isAnimated: boolean): Promise<Thumbnail> {
  const { width, height, fit, maxPixels = MAX_PIXELS } = options;
  return attempt(async () => {
    const picture = (await open(path, { limitInputPixels: maxPixels, pages: isAnimated ? -1 : 1 }))
      .timeout({ seconds: MAX_SECONDS })
      .resize({ width, height, fit, withoutEnlargement: fit === "inside", background: TRANSPARENT });
    const isWebp = isAnimated || options.stillFormat === "webp";
    const encoded = isWebp ? picture.webp() : picture.png();
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return {
      bytes: data,
      contentType: isWebp ? "image/webp" : "image/png",
      width: info.width,
      height: isAnimated ? (info.pageHeight ?? info.height) : info.height,
      isAnimated,
    };
  });
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

async function open(path: string, options: SharpOptions): Promise<Sharp> {
  const sharp = await load();
  return sharp(path, { failOn: "error", autoOrient: true, ...options });
}

/** What fails in the library is the file's fault. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ImageError(/^timeout/.test((error as Error).message) ? "time" : "broken", error);
  }
}

type Library = typeof import("sharp").default;
let library: Promise<Library> | undefined;

/** The library takes some 40 MB, so a server that never sees a picture does not load it. */
function load(): Promise<Library> {
  library ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // Files of other formats never get here. Their decoders are shut off nevertheless.
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: DECODERS });
    return sharp;
  });
  return library;
}

const DECODERS = ["Png", "Nsgif", "Jpeg", "Webp", "Heif"].flatMap((name) => [
  `VipsForeignLoad${name}File`,
  `VipsForeignLoad${name}Buffer`,
]);
