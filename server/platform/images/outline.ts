/**
 * Shapes as closed outlines, and which part of each pixel they cover. The server's own pictures are drawn
 * with it, so no decoder of vector pictures is needed, which could also read a file that somebody sent.
 */
export type Point = readonly [x: number, y: number];
/** The corners of one closed line. */
export type Outline = readonly Point[];

/** Lines that a row of pixels is measured along. Across a line the measure is exact. */
const LINES_A_ROW = 4;
/** Straight pieces that stand for a curve. */
const PIECES = 12;

/** A point of the quadratic curve from `from` to `to`, at each of its pieces but the first. */
export function curve(from: Point, control: Point, to: Point): Point[] {
  return Array.from({ length: PIECES }, (_, index) => {
    const t = (index + 1) / PIECES;
    const at = (axis: 0 | 1) =>
      (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * to[axis];
    return [at(0), at(1)] as const;
  });
}

export function ellipse(center: Point, radiusX: number, radiusY: number): Outline {
  const corners = 8 * PIECES;
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return [center[0] + radiusX * Math.cos(angle), center[1] + radiusY * Math.sin(angle)] as const;
  });
}

/**
 * How much of each pixel of a square the outlines cover, from 0 to 1, row by row. What is inside of any of
 * them counts as covered, unless another that runs the other way around cuts it out.
 */
export function coverageOf(outlines: readonly Outline[], size: number): Float32Array {
  const coverage = new Float32Array(size * size);
  const lines = Array.from({ length: size * LINES_A_ROW }, (): Crossing[] => []);
  for (const outline of outlines) addCrossings(lines, outline);
  for (const [line, crossings] of lines.entries()) {
    crossings.sort((one, other) => one.x - other.x);
    const row = Math.floor(line / LINES_A_ROW) * size;
    let winding = 0;
    for (const [index, { x, turn }] of crossings.entries()) {
      winding += turn;
      const end = crossings[index + 1]?.x;
      if (winding !== 0 && end !== undefined) cover(coverage, row, size, x, end);
    }
  }
  return coverage;
}

/** Where an outline meets a line, and whether it goes up or down there. */
interface Crossing {
  x: number;
  turn: 1 | -1;
}

function addCrossings(lines: readonly Crossing[][], outline: Outline): void {
  for (const [index, from] of outline.entries()) {
    const to = outline[(index + 1) % outline.length] as Point;
    const [high, low] = from[1] < to[1] ? [from, to] : [to, from];
    const slope = (low[0] - high[0]) / (low[1] - high[1]);
    const turn = from === high ? 1 : -1;
    const first = Math.max(0, Math.ceil(high[1] * LINES_A_ROW - 0.5));
    for (let line = first; line < lines.length; line++) {
      const y = (line + 0.5) / LINES_A_ROW;
      if (y >= low[1]) break;
      lines[line]?.push({ x: high[0] + (y - high[1]) * slope, turn });
    }
  }
}

function cover(coverage: Float32Array, row: number, size: number, from: number, to: number): void {
  const [start, end] = [Math.max(0, from), Math.min(size, to)];
  for (let column = Math.floor(start); column < end; column++) {
    const part = Math.min(end, column + 1) - Math.max(start, column);
    coverage[row + column] = (coverage[row + column] as number) + part / LINES_A_ROW;
  }
}
