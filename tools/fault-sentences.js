// Finds in the sources which sentences are printed about which fault. The parser is the bundler's.
import path from "node:path";
import { parseAst } from "rolldown/parseAst";

/** @typedef {import("./source-files.js").Sources} Sources */

/** Called with a fault and a sentence, beside the constructors of errors. */
const callees = ["failed", "warned", "warning", "down", "withNumber"];
const MAX_DEPTH = 6;

/**
 * The sentences by the name of the fault, in the order of the files. What is only known when the program runs
 * is `…`. A fault that is named without words of its own has an empty list.
 * @param {Sources} sources
 * @param {Record<string, string>} faultsOf the fault by its name and by each code that stands for it
 * @returns {Map<string, string[]>}
 */
export function sentencesOfFaults(sources, faultsOf) {
  const faultNames = Object.keys(faultsOf);
  const faultOf = (/** @type {string} */ name) =>
    Object.hasOwn(faultsOf, name) ? faultsOf[name] : undefined;
  const files = new Files(sources);
  const fixed = fixedFaults(files);
  /** @type {Map<string, string[]>} */
  const found = new Map();
  /** @param {string} fault @param {string[]} sentences */
  const note = (fault, sentences) => {
    const lines = sentences.flatMap((one) => one.split("\n")).filter(isTelling);
    found.set(fault, [...new Set([...(found.get(fault) ?? []), ...lines])]);
  };
  const mayName = new RegExp(`"(${faultNames.join("|")})"|new (${[...fixed.keys(), "-"].join("|")})\\(`);
  for (const file of files.matching(mayName)) {
    for (const node of file.nodes) {
      const told = toldBy(node, fixed);
      if (!told) continue;
      const names = "fault" in told ? [told.fault] : literalsOf(told.name).map((name) => faultOf(name));
      for (const fault of names)
        if (fault !== undefined) note(fault, textsOf(told.sentence, { file, files, depth: 0 }));
    }
  }
  return found;
}

/**
 * The part of the tree that names a fault, and the one with the sentence. undefined: the node is about none.
 * @param {any} node
 * @param {Map<string, string>} fixed
 * @returns {{ name: any, sentence: any } | { fault: string, sentence: any } | undefined}
 */
function toldBy(node, fixed) {
  if (node.type === "NewExpression") {
    const fault = fixed.get(node.callee.name);
    if (fault !== undefined) return { fault, sentence: node.arguments[0] };
    const [name, sentence] = node.arguments;
    return { name, sentence };
  }
  if (node.type === "CallExpression") {
    if (node.callee.type !== "Super" && !callees.includes(node.callee.name)) return undefined;
    const [name, sentence] = node.arguments;
    return { name, sentence };
  }
  if (node.type === "ArrayExpression" && node.elements.length === 2) {
    const [name, sentence] = node.elements;
    return { name, sentence };
  }
  if (node.type !== "ObjectExpression") return undefined;
  /** @param {string} key */
  const property = (key) => node.properties.find((/** @type {any} */ one) => one.key?.name === key)?.value;
  return { name: property("fault"), sentence: property("text") };
}

/** The classes whose constructor gives the fault itself, and those that extend them. @param {Files} files */
function fixedFaults(files) {
  /** @type {Map<string, string>} */
  const fixed = new Map();
  const classes = files
    .matching(/\bclass \w+ extends \w+ \{/)
    .flatMap(({ nodes }) => nodes)
    .filter((node) => node.type === "ClassDeclaration" && node.superClass);
  for (const node of classes) {
    const given = walk(node.body)
      .filter((one) => one.type === "CallExpression" && one.callee.type === "Super")
      .map((one) => one.arguments)
      .find(([fault, message]) => fault?.type === "Literal" && message?.type === "Identifier");
    if (given) fixed.set(node.id.name, given[0].value);
  }
  for (const node of classes) {
    const fault = fixed.get(node.superClass.name);
    if (fault !== undefined) fixed.set(node.id.name, fault);
  }
  return fixed;
}

/** The texts that a node can be, when they stand in the source. @param {any} node @returns {string[]} */
function literalsOf(node) {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "ConditionalExpression":
      return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
    case "TSAsExpression":
      return literalsOf(node.expression);
    default:
      return [];
  }
}

/**
 * The sentences that a node can be.
 * @typedef {{ file: SourceFile, files: Files, depth: number }} Place
 * @param {any} node
 * @param {Place} place
 * @returns {string[]}
 */
function textsOf(node, place) {
  if (!node || place.depth > MAX_DEPTH) return [];
  const deeper = { ...place, depth: place.depth + 1 };
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "TemplateLiteral":
      return [textOfTemplate(node, deeper)];
    case "ConditionalExpression":
      return [...textsOf(node.consequent, deeper), ...textsOf(node.alternate, deeper)];
    case "LogicalExpression":
      return [...textsOf(node.left, deeper), ...textsOf(node.right, deeper)];
    case "AwaitExpression":
      return textsOf(node.argument, deeper);
    case "Identifier": {
      const found = lookUp(node.name, place);
      return found ? textsOf(found.node, { ...deeper, file: found.file }) : [];
    }
    case "CallExpression": {
      const found = lookUp(node.callee.name, place);
      if (!found) return [];
      const returned = walk(found.node).filter(({ type }) => type === "ReturnStatement");
      return returned.flatMap(({ argument }) => textsOf(argument, { ...deeper, file: found.file }));
    }
    default:
      return [];
  }
}

/** @param {any} node @param {Place} place */
function textOfTemplate(node, place) {
  return node.quasis
    .map((/** @type {any} */ quasi, /** @type {number} */ index) => {
      const expression = node.expressions[index];
      if (!expression) return quasi.value.cooked;
      // A constant of the file is a part of the sentence; all else is known when the program runs.
      return `${quasi.value.cooked}${constantOf(expression, place) ?? "…"}`;
    })
    .join("")
    .replace(/…+/g, "…");
}

/** @param {any} expression @param {Place} place @returns {string | undefined} */
function constantOf(expression, place) {
  if (expression.type !== "Identifier" || place.depth > MAX_DEPTH) return undefined;
  const found = lookUp(expression.name, place);
  if (found?.node.type === "Literal") return `${found.node.value}`;
  if (found?.node.type !== "TemplateLiteral") return undefined;
  return textOfTemplate(found.node, { ...place, file: found.file, depth: place.depth + 1 });
}

/**
 * What a name stands for: the value of a constant, or a function. It is in this file or in one of ours that
 * the file imports from.
 * @param {string | undefined} name
 * @param {Place} place
 * @returns {{ node: any, file: SourceFile } | undefined}
 */
function lookUp(name, { file, files }) {
  if (name === undefined) return undefined;
  const own = file.names.get(name);
  if (own) return { node: own, file };
  const from = file.imports.get(name);
  const other = from === undefined ? undefined : files.get(from);
  const node = other?.names.get(name);
  return other && node ? { node, file: other } : undefined;
}

const AMBIGUOUS = { type: "Ambiguous" };

/** The sources, each parsed when it is asked for. */
class Files {
  #sources;
  /** @type {Map<string, SourceFile>} */
  #read = new Map();

  /** @param {Sources} sources */
  constructor(sources) {
    this.#sources = sources;
  }

  /** @param {string} file @returns {SourceFile | undefined} */
  get(file) {
    const text = this.#sources.get(file);
    if (text === undefined) return undefined;
    const read = this.#read.get(file) ?? readFile(file, text);
    this.#read.set(file, read);
    return read;
  }

  /** Those whose text has this. @param {RegExp} pattern @returns {SourceFile[]} */
  matching(pattern) {
    const names = [...this.#sources].filter(([, text]) => pattern.test(text)).map(([file]) => file);
    return names.flatMap((file) => this.get(file) ?? []);
  }
}

/**
 * `names`: constants and functions; `imports`: the file of each imported name.
 * @typedef {{ nodes: any[], names: Map<string, any>, imports: Map<string, string> }} SourceFile
 * @param {string} file
 * @param {string} text
 * @returns {SourceFile}
 */
function readFile(file, text) {
  const nodes = walk(parseAst(text, { lang: "ts" }));
  /** @type {Map<string, any>} */
  const names = new Map();
  /** @type {Map<string, string>} */
  const imports = new Map();
  for (const node of nodes) {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init)
      // Two functions may each have a constant of this name. Then it stands for neither.
      names.set(node.id.name, names.has(node.id.name) ? AMBIGUOUS : node.init);
    if (node.type === "FunctionDeclaration") names.set(node.id.name, node);
    if (node.type === "ImportDeclaration" && node.source.value.startsWith("."))
      for (const { local } of node.specifiers)
        imports.set(local.name, path.posix.join(path.posix.dirname(file), node.source.value));
  }
  return { nodes, names, imports };
}

/** The node and all below it, in the order of the text. @param {any} node @returns {any[]} */
function walk(node) {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(walk);
  return typeof node.type === "string" ? [node, ...below] : below;
}

/** Whether somebody could find the place by these words. @param {string} sentence */
function isTelling(sentence) {
  return sentence.includes(" ") && sentence.replace(/[^a-z]/gi, "").length >= 12;
}
