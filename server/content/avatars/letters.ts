/** The outlines of letters, from files of a font in a package. So no font of the machine is used. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Font, PathCommand } from "opentype.js";
import { curve, type Outline, type Point } from "../../platform/images/outline.ts";

/** The parts of the font in the order in which they are looked through. The first has most names' letters. */
const PARTS = [
  "latin",
  "latin-ext",
  "cyrillic",
  "greek",
  "vietnamese",
  "cyrillic-ext",
  "greek-ext",
  "devanagari",
];
/** The height of capital letters, as a part of the font's height. */
const CAPITAL_HEIGHT = 0.714;
/** How large letters are in a picture, as parts of its width and of its height. */
const MAX_WIDTH = 0.66;
const FONT_SIZE = 0.44;

const fonts = new Map<string, Promise<Font>>();

/** The letters in the middle of a square picture. undefined: the font does not have all of them. */
export async function letterOutlines(
  letters: readonly string[],
  size: number,
): Promise<Outline[] | undefined> {
  const glyphs = [];
  for (const letter of letters) {
    const font = await fontWith(letter);
    if (!font) return undefined;
    const glyph = font.charToGlyph(letter);
    glyphs.push({ glyph, advance: glyph.advanceWidth / font.unitsPerEm });
  }
  const advances = glyphs.reduce((sum, { advance }) => sum + advance, 0);
  const fontSize = size * Math.min(FONT_SIZE, MAX_WIDTH / advances);
  const baseline = (size + CAPITAL_HEIGHT * fontSize) / 2;
  let x = (size - advances * fontSize) / 2;
  return glyphs.flatMap(({ glyph, advance }) => {
    const outlines = outlinesOf(glyph.getPath(x, baseline, fontSize).commands);
    x += advance * fontSize;
    return outlines;
  });
}

async function fontWith(letter: string): Promise<Font | undefined> {
  for (const part of PARTS) {
    const font = await load(part);
    if (font.charToGlyphIndex(letter) > 0) return font;
  }
  return undefined;
}

function load(part: string): Promise<Font> {
  let font = fonts.get(part);
  if (!font) {
    font = read(part);
    fonts.set(part, font);
    // The next picture tries again.
    font.catch(() => fonts.delete(part));
  }
  return font;
}

async function read(part: string): Promise<Font> {
  const { resolve } = createRequire(import.meta.url);
  const { default: opentype } = await import("opentype.js");
  const file = await readFile(resolve(`@fontsource/noto-sans/files/noto-sans-${part}-600-normal.woff`));
  return opentype.parse(new Uint8Array(file).buffer);
}

/** Curves become straight pieces. */
function outlinesOf(commands: readonly PathCommand[]): Outline[] {
  const outlines: Point[][] = [];
  let at: Point = [0, 0];
  for (const command of commands) {
    if (command.type === "Z") continue;
    const to: Point = [command.x, command.y];
    const current = outlines.at(-1);
    if (command.type === "M" || !current) outlines.push([to]);
    else if (command.type === "Q") current.push(...curve(at, [command.x1, command.y1], to));
    // The fonts of this format have no cubic curves.
    else current.push(to);
    at = to;
  }
  return outlines;
}
