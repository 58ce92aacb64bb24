/** The pictures that the server draws, as files that are made when they are asked for. */
import { Readable } from "node:stream";
import { COLOURS } from "../../people/pictures/picture.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { drawPicture } from "./draw.ts";

const SIZES = { normal: 100, medium: 500 };
/** A picture has a few kilobytes. */
const MAX_KEPT = 1000;
/** Up to two characters by their numbers, and the number of a colour; or somebody unknown. */
const NAME = /^(?:person|((?:[1-9a-f][0-9a-f]{1,5}-){0,2})c(0|[1-9]\d?))(-medium)?\.png$/;
const NO_COLOUR = -1;

interface Drawing {
  letters: readonly string[];
  colour: number;
  size: number;
}

/** What the name of a file says that is in it. undefined: no picture has that name. */
export function parseDrawing(fileName: string): Drawing | undefined {
  const match = NAME.exec(fileName);
  if (!match) return undefined;
  const [, codes = "", colour, medium] = match;
  const numbers = codes
    .split("-")
    .slice(0, -1)
    .map((code) => Number.parseInt(code, 16));
  if (numbers.some((number) => number > 0x10ffff)) return undefined;
  const letters = numbers.map((number) => String.fromCodePoint(number));
  if (!letters.every((letter) => /^[\p{L}\p{N}]$/u.test(letter)) || Number(colour) >= COLOURS)
    return undefined;
  return {
    letters,
    colour: colour === undefined ? NO_COLOUR : Number(colour),
    size: medium === undefined ? SIZES.normal : SIZES.medium,
  };
}

/** Keeps those that were asked for last. */
export class DrawnPictures implements Pick<FileStorage, "open" | "size"> {
  readonly #kept = new Map<string, Promise<Buffer>>();

  async open(fileName: string) {
    const bytes = await this.#bytesOf(fileName);
    return bytes && { size: bytes.length, stream: Readable.from([bytes], { objectMode: false }) };
  }

  async size(fileName: string): Promise<number | undefined> {
    return (await this.#bytesOf(fileName))?.length;
  }

  #bytesOf(fileName: string): Promise<Buffer> | undefined {
    const drawing = parseDrawing(fileName);
    if (!drawing) return undefined;
    const bytes = this.#kept.get(fileName) ?? this.#draw(fileName, drawing);
    this.#kept.delete(fileName);
    this.#kept.set(fileName, bytes);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return bytes;
  }

  /** A failure is not kept. */
  #draw(fileName: string, { letters, colour, size }: Drawing): Promise<Buffer> {
    const bytes = drawPicture(letters, colour, size);
    bytes.catch(() => this.#kept.delete(fileName));
    return bytes;
  }
}
