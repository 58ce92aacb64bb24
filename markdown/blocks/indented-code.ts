import { addChild, type Element } from "../element.ts";
import type { BlockQueue } from "./parser.ts";

const INDENT = "    ";

/** Lines indented by four spaces; stretches separated by blank lines are one block. */
export function addIndentedCode(parent: Element, block: string, queue: BlockQueue): void {
  const lines = block.split("\n");
  const code: string[] = [];
  for (const line of lines) {
    if (line.startsWith(INDENT)) code.push(line.slice(INDENT.length));
    else if (line.trim() === "") code.push("");
    else break;
  }
  const text = `${code.join("\n").trimEnd()}\n`;
  const previous = parent.children.at(-1);
  if (previous?.tag === "pre") previous.text += `\n${text}`;
  else addChild(parent, "pre", text);
  if (code.length < lines.length) queue.putBack(lines.slice(code.length).join("\n"));
}
