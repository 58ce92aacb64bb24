import { isVisible } from "../../../api/hidden-characters.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

interface Fence {
  /** The line that opens it. */
  opening: string;
  mark: string;
}

/**
 * Parts at ends of paragraphs, lines or words, and else anywhere but within a character. Code that is cut is
 * code in each part: its fence is closed and opened again.
 */
export function splitText(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  let fence: Fence | undefined;
  while (lengthOf(rest, fence) > limit) {
    const opening = fence ? `${fence.opening}\n` : "";
    // A fence that is opened in this part needs room for its end. One this long is rare, so it is text.
    const room = Math.max(limit / 2, limit - opening.length - longestFence(rest.slice(0, limit), fence) - 1);
    const window = rest.slice(0, Math.floor(room));
    const at =
      (fence ? ["\n"] : ["\n\n", "\n", " "])
        .map((end) => window.lastIndexOf(end))
        .find((end) => end > window.length / 2) ?? window.length;
    const end = at === window.length && /[\ud800-\udbff]$/.test(window) ? at - 1 : at;
    const part = rest.slice(0, end);
    const after = openFence(part, fence, limit);
    parts.push(`${opening}${part.trimEnd()}${after ? `\n${after.mark}` : ""}`);
    fence = after;
    rest = fence ? rest.slice(end).replace(/^\n/, "") : rest.slice(end).replace(/^\s+/, "");
  }
  const last = fence ? `${fence.opening}\n${rest}` : rest;
  if (isVisible(rest)) parts.push(last);
  return parts.filter(isVisible);
}

function lengthOf(rest: string, fence: Fence | undefined): number {
  return rest.length + (fence ? fence.opening.length + 1 : 0);
}

function longestFence(text: string, fence: Fence | undefined): number {
  return text
    .split("\n")
    .reduce((most, line) => Math.max(most, FENCE.exec(line)?.[1]?.length ?? 0), fence?.mark.length ?? 0);
}

/** The fence that is open at the end of a text. */
function openFence(text: string, before: Fence | undefined, limit: number): Fence | undefined {
  let open = before;
  for (const line of text.split("\n")) {
    const [, mark = "", info = ""] = FENCE.exec(line) ?? [];
    if (mark === "") continue;
    if (open) {
      const isEnd = mark[0] === open.mark[0] && mark.length >= open.mark.length && info.trim() === "";
      if (isEnd) open = undefined;
    } else if (line.length <= limit / 8 && !(mark[0] === "`" && info.includes("`"))) {
      open = { opening: line, mark };
    }
  }
  return open;
}
