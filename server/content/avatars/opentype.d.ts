/** What is used of the package, which has no types of its own. */
declare module "opentype.js" {
  export type PathCommand =
    | { type: "M" | "L"; x: number; y: number }
    | { type: "Q"; x1: number; y1: number; x: number; y: number }
    | { type: "C"; x1: number; y1: number; x2: number; y2: number; x: number; y: number }
    | { type: "Z" };

  export interface Glyph {
    index: number;
    advanceWidth: number;
    getPath(x: number, y: number, fontSize: number): { commands: readonly PathCommand[] };
  }

  export interface Font {
    unitsPerEm: number;
    charToGlyphIndex(character: string): number;
    charToGlyph(character: string): Glyph;
  }

  export function parse(bytes: ArrayBuffer): Font;
  const opentype: { parse: typeof parse };
  export default opentype;
}
