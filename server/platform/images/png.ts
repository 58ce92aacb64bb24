/** Writes the server's own drawings as PNG: a shape in one colour on a ground of another. */
import { crc32, deflateSync } from "node:zlib";

export type Colour = readonly [red: number, green: number, blue: number];

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Steps between the two colours, which make the edges of the shape smooth. */
const SHADES = 32;
const BITS = 8;
const TRUE_COLOUR = 2;
const INDEXED = 3;

/** `coverage`: how much of each pixel of a square the shape covers, from 0 to 1, row by row. */
export function encodeShape(coverage: Float32Array, size: number, shape: Colour, ground: Colour): Buffer {
  const palette = Array.from({ length: SHADES }, (_, shade) =>
    ground.map((from, channel) => from + (((shape[channel] as number) - from) * shade) / (SHADES - 1)),
  );
  // Each row begins with the number of its filter: 0, none.
  const rows = Buffer.alloc(size * (size + 1));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const part = Math.min(1, coverage[y * size + x] as number);
      rows[y * (size + 1) + 1 + x] = Math.round(part * (SHADES - 1));
    }
  }
  return Buffer.concat([
    SIGNATURE,
    header(size, size, INDEXED),
    chunk("PLTE", Buffer.from(palette.flat().map(Math.round))),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A picture. `colourAt` gives the colours of its pixels as 0xRRGGBB, from the corner at the top left. */
export function encodePixels(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => number,
): Buffer {
  // Each row begins with the number of its filter: 0, none.
  const rowBytes = 3 * width + 1;
  const rows = Buffer.alloc(height * rowBytes);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.writeUIntBE(colourAt(x, y), y * rowBytes + 1 + 3 * x, 3);
  }
  return Buffer.concat([
    SIGNATURE,
    header(width, height, TRUE_COLOUR),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function header(width: number, height: number, kind: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = BITS;
  head[9] = kind;
  return chunk("IHDR", head);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
