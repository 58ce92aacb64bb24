import { readFence } from "./fences.ts";

const ITEM = /^ *([*+-]|\d\.) +/;

/**
 * Inserts a blank line where a list directly follows a line of text or a list of the other kind. Lines
 * inside fenced blocks stay as they are, except in fenced quotes.
 */
export function separateLists(lines: string[]): string[] {
  const out: string[] = [];
  const open: { fence: string; isCode: boolean }[] = [];
  let codeDepth = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    out.push(line);
    const fence = readFence(line);
    if (fence !== null) {
      const last = open.at(-1);
      if (fence.language === "" && last?.fence === fence.marker) {
        open.pop();
        if (last.isCode) codeDepth--;
      } else {
        const isCode = fence.language !== "quote" && fence.language !== "quoted";
        open.push({ fence: fence.marker, isCode });
        if (isCode) codeDepth++;
      }
    }
    const next = lines[i + 1];
    if (next === undefined || codeDepth > 0 || line === "") continue;
    const follower = ITEM.exec(next);
    if (follower === null) continue;
    const item = ITEM.exec(line);
    if (item === null || (item[1]!.length === 1) !== (follower[1]!.length === 1)) out.push("");
  }
  return out;
}
