import { LineWriter, openOutput } from "../platform/std/line-writer.ts";

/** Writes lines to standard output. A server whose standard output can't be written serves all the same. */
export function announceLines(lines: readonly string[]): void {
  new LineWriter({ write: openOutput(1) }).write(`${lines.join("\n")}\n`);
}
