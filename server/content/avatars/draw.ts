/** Draws the pictures of people who have not uploaded one. */

import { COLOURS } from "../../people/pictures/picture.ts";
import { coverageOf, ellipse, type Outline } from "../../platform/images/outline.ts";
import { type Colour, encodeShape } from "../../platform/images/png.ts";
import { letterOutlines } from "./letters.ts";

const WHITE: Colour = [255, 255, 255];
/** For somebody of whom the reader may not know. */
const GREY: Colour = [138, 143, 152];
/** Dark enough for white letters. */
const GROUNDS: readonly Colour[] = [
  [178, 58, 72],
  [166, 74, 32],
  [134, 96, 18],
  [96, 108, 24],
  [58, 118, 44],
  [22, 120, 84],
  [14, 116, 122],
  [22, 104, 152],
  [48, 92, 176],
  [82, 80, 186],
  [112, 70, 178],
  [142, 60, 160],
  [168, 52, 124],
  [110, 88, 76],
  [84, 100, 112],
  [62, 74, 98],
];
if (GROUNDS.length !== COLOURS) throw new Error("each number of a colour must have a colour");

/** Letters that the font does not have give the shape of a person, like no letters. */
export async function drawPicture(letters: readonly string[], colour: number, size: number): Promise<Buffer> {
  const outlines = letters.length > 0 ? await letterOutlines(letters, size) : undefined;
  return encodeShape(
    coverageOf(outlines ?? personOutlines(size), size),
    size,
    WHITE,
    GROUNDS[colour] ?? GREY,
  );
}

/** A head over shoulders. */
function personOutlines(size: number): Outline[] {
  return [
    ellipse([size / 2, size * 0.38], size * 0.17, size * 0.18),
    ellipse([size / 2, size * 0.92], size * 0.31, size * 0.3),
  ];
}
