// Finds the functions of a source that are longer than a screen or two, and don't say why. The parser is the
// bundler's.
import { parseAst } from "rolldown/parseAst";

export const MAX_LINES = 100;
/** In the comment above the function, with the reason. */
const REASON = /\bLONG: \S/;

/** @typedef {{ name: string, line: number, lines: number }} LongFunction */

/** @param {string} file @param {string} text @returns {LongFunction[]} */
export function longFunctions(file, text) {
  if (text.split("\n").length <= MAX_LINES) return [];
  const { body } = parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" });
  /** @type {LongFunction[]} */
  const found = [];
  visit(body, "a function", (node, name) => {
    const line = lineAt(text, node.start);
    const lines = lineAt(text, node.end) - line + 1;
    if (lines > MAX_LINES && !REASON.test(commentAbove(text, line))) found.push({ name, line, lines });
  });
  return found;
}

/**
 * @param {any} node
 * @param {string} name that of what the node belongs to
 * @param {(node: { start: number, end: number }, name: string) => void} note
 */
function visit(node, name, note) {
  if (typeof node !== "object" || node === null) return;
  const own = node.id?.name ?? node.key?.name ?? name;
  if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) note(node, own);
  for (const child of Object.values(node)) visit(child, own, note);
}

/** @param {string} text @param {number} place */
function lineAt(text, place) {
  return text.slice(0, place).split("\n").length;
}

/** The lines of comment that end above a line. @param {string} text @param {number} line */
function commentAbove(text, line) {
  const lines = text.split("\n").slice(0, line - 1);
  const start = lines.findLastIndex((one) => !/^\s*(\/\/|\/\*|\*)/.test(one));
  return lines.slice(start + 1).join("\n");
}
