// The files that every send goes through build each object in one literal with all of its fields. V8 copies
// a spread by a slow path and adds what follows one property at a time, which took a fifth of a send.
import { parseAst } from "rolldown/parseAst";

/** @typedef {import("./source-files.js").Sources} Sources */

const files = [
  "server/messages/delivery/message-log.ts",
  "server/messages/mentions/personal-flags.ts",
  "server/messages/model/columns.ts",
  "server/messages/send/addressee.ts",
  "server/messages/send/automatic-policies.ts",
  "server/messages/send/batch.ts",
  "server/messages/send/prepare.ts",
  "server/messages/send/send.ts",
  "server/platform/http/api.ts",
  "server/platform/http/exchange.ts",
  "server/platform/log/log-entry.ts",
  "server/platform/log/log-writer.ts",
  "server/platform/log/organization-state.ts",
];

/** @param {Sources} sources @returns {string[]} a sentence for each object spread in these files */
export function hotPathProblems(sources) {
  return files.flatMap((file) =>
    linesWithSpreads(sources.get(file) ?? "").map(
      (line) =>
        `${file}:${line}: each send comes through this file, so write all fields in one literal, with null` +
        " or undefined for those that are absent, in place of an object spread.",
    ),
  );
}

/** @param {string} text @returns {number[]} in order */
function linesWithSpreads(text) {
  if (!text.includes("...")) return [];
  const { body } = parseAst(text, { lang: "ts" });
  /** @type {number[]} */
  const lines = [];
  visit(body, (place) => lines.push(text.slice(0, place).split("\n").length));
  return lines;
}

/** @param {any} node @param {(place: number) => void} note */
function visit(node, note) {
  if (typeof node !== "object" || node === null) return;
  if (node.type === "ObjectExpression") {
    for (const { type, start } of node.properties) if (type === "SpreadElement") note(start);
  }
  for (const child of Object.values(node)) visit(child, note);
}
