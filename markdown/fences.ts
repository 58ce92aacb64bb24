/**
 * Fenced blocks are taken out before anything else is parsed. Code and maths become rendered HTML behind a
 * marker; a quote becomes lines that begin with "> "; a spoiler becomes its header and content between
 * markers. An unclosed fence runs to the end of the text.
 */
import { renderCodeBlock } from "./code.ts";
import { renderMathBlock } from "./math.ts";
import type { Session } from "./session.ts";

/** Fences nested deeper than this are ordinary lines; each level of quoting is a pass over its text. */
const MAX_DEPTH = 12;

export interface Fence {
  marker: string;
  /** Lower case; empty when none is given. */
  language: string;
  header: string;
}

const FENCE = /^(~{3,}|`{3,}) *(?:\{?\.?([a-zA-Z0-9_+-./#]+) *([^ ].*)?)?$/;

/** The opening (or closing) line of a fenced block, or null. */
export function readFence(line: string): Fence | null {
  const first = line.charCodeAt(0);
  if (first !== 96 && first !== 126) return null;
  let end = 1;
  while (line.charCodeAt(end) === first) end++;
  if (end < 3 || line.includes("`", end) || line.includes("~", end)) return null;
  const match = FENCE.exec(line);
  if (match === null) return null;
  return { marker: match[1]!, language: (match[2] ?? "").toLowerCase(), header: match[3] ?? "" };
}

/** The lines that would close the open fences of a text, the innermost first. */
export function openFences(text: string): string[] {
  const open: Fence[] = [];
  for (const line of text.split("\n")) {
    const inner = open.at(-1);
    if (inner !== undefined && line.trimEnd() === inner.marker) open.pop();
    else if (inner === undefined || !isVerbatim(kindOf(inner.language))) {
      const fence = open.length < MAX_DEPTH ? readFence(line) : null;
      if (fence !== null) open.push(fence);
    }
  }
  return open.reverse().map(({ marker }) => marker);
}

interface OpenBlock {
  kind: "code" | "math" | "quote" | "spoiler";
  fence: Fence;
  lines: string[];
}

/** Replaces every fenced block by the lines that stand for it. */
export function extractFences(lines: string[], session: Session): string[] {
  const top: string[] = [];
  const stack: OpenBlock[] = [];
  const linesOf = (depth: number): string[] => (depth < 0 ? top : stack[depth]!.lines);
  const close = (): void => {
    const block = stack.pop()!;
    linesOf(stack.length - 1).push("", ...replacement(block, session), "");
  };
  for (const line of lines) {
    const block = stack.at(-1);
    if (block !== undefined && line.trimEnd() === block.fence.marker) {
      close();
      continue;
    }
    if (block !== undefined && isVerbatim(block.kind)) {
      block.lines.push(line.trimEnd());
      continue;
    }
    const fence = stack.length < MAX_DEPTH ? readFence(line) : null;
    if (fence === null) linesOf(stack.length - 1).push(line);
    else stack.push({ kind: kindOf(fence.language), fence, lines: [] });
  }
  while (stack.length > 0) close();
  return top;
}

/** Whether the content of such a block is literal, without syntax. */
function isVerbatim(kind: OpenBlock["kind"]): boolean {
  return kind === "code" || kind === "math";
}

function kindOf(language: string): OpenBlock["kind"] {
  if (language === "quote" || language === "quoted") return "quote";
  if (language === "math" || language === "spoiler") return language;
  return "code";
}

function replacement(block: OpenBlock, session: Session): string[] {
  const { fence, lines } = block;
  switch (block.kind) {
    case "quote":
      return lines.map((line) => `> ${line}`);
    case "spoiler":
      return [
        session.storeBlock('<div class="spoiler-block"><div class="spoiler-header">'),
        "",
        fence.header,
        "",
        session.storeBlock('</div><div class="spoiler-content" aria-hidden="true">'),
        "",
        ...lines,
        "",
        session.storeBlock("</div></div>"),
      ];
    case "math":
      return [session.storePhrase(renderMathBlock(lines.join("\n"), session))];
    case "code": {
      const language = fence.language || session.lookups.defaultCodeLanguage?.toLowerCase() || "";
      return [session.storeBlock(renderCodeBlock(lines.join("\n"), language, session))];
    }
  }
}
