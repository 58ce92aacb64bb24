import { CLOSE, OPEN } from "./marker.ts";

/**
 * The text as the block parser needs it: line endings unified, tabs expanded, lines of spaces emptied. It
 * drops the control characters that the renderer uses as markers. It also has no half of a surrogate
 * pair, which would break URL encoding.
 */
const LONE_SURROGATES = /[\ud800-\udfff]/gu;

export function normalizeSource(text: string): string {
  let source = text;
  if (source.includes(OPEN) || source.includes(CLOSE))
    source = source.replaceAll(OPEN, "").replaceAll(CLOSE, "");
  if (source.includes("\r")) source = source.replace(/\r\n?/g, "\n");
  if (/[\ud800-\udfff]/.test(source)) source = source.replace(LONE_SURROGATES, "\ufffd");
  return source;
}

/** Tab stops every four columns, and lines after the first that hold only spaces become empty. */
export function expandLine(line: string, isFirst: boolean): string {
  const expanded = line.includes("\t") ? expandTabs(line) : line;
  return !isFirst && expanded.startsWith(" ") && expanded.trim() === "" && /^ +$/.test(expanded)
    ? ""
    : expanded;
}

function expandTabs(line: string): string {
  let out = "";
  let column = 0;
  for (const part of line.split(/(\t)/)) {
    const piece = part === "\t" ? " ".repeat(4 - (column % 4)) : part;
    out += piece;
    column += piece.length;
  }
  return out;
}
