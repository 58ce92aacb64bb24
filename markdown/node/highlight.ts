/**
 * Code through highlight.js, on the server only, with the class names of Pygments, which clients of this API
 * style.
 */
import { createRequire } from "node:module";
import type { HLJSApi, LanguageFn } from "highlight.js";
import { languageTitle } from "../languages.ts";
import { withTimeLimit } from "./time-limit.ts";

/**
 * Many grammars take quadratic time on a long line or a long run of white space. Such code is shown
 * without highlighting.
 */
const INTRICATE = /[^\n]{200}|\s{120}/;

/** Runs of what could all be one type or one key. These grammars take quadratic or cubic time on them. */
const INTRICATE_RUNS: Record<string, RegExp> = {
  csharp: /[\w\s<>,[\]?]{400}/,
  ini: /[\w\s.'"-]{400}/,
};

/** These grammars begin a search at each letter of a word. */
const SLOW_WITH_LONG_WORDS = new Set(["c", "cpp", "arduino"]);
const LONG_WORD = /\w{24,}/g;
const MAX_SQUARES = 100_000;

/**
 * Which code takes long cannot be told for a hundred grammars, so time is limited too. In a message at most
 * 5,000 characters are highlighted. Ordinary code takes a tenth of this.
 */
const BASE_MS = 20;
const MS_PER_CHARACTER = 0.03;

const CACHED_CHARACTERS = 2_000_000;

const require = createRequire(import.meta.url);
let hljs: HLJSApi | undefined;

/** Grammars by the titles of `languages.ts`; one is loaded when a message first needs it. */
const GRAMMARS: Record<string, string> = {
  Ada: "ada",
  AppleScript: "applescript",
  Arduino: "arduino",
  autohotkey: "autohotkey",
  Awk: "awk",
  Bash: "bash",
  Batchfile: "dos",
  Brainfuck: "brainfuck",
  C: "c",
  "C#": "csharp",
  "C++": "cpp",
  CMake: "cmake",
  CSS: "css",
  Clojure: "clojure",
  ClojureScript: "clojure",
  CoffeeScript: "coffeescript",
  "Common Lisp": "lisp",
  Crystal: "crystal",
  Cython: "python",
  D: "d",
  Dart: "dart",
  Delphi: "delphi",
  Diff: "diff",
  Docker: "dockerfile",
  Elixir: "elixir",
  Elm: "elm",
  EmacsLisp: "lisp",
  Erlang: "erlang",
  "F#": "fsharp",
  Fish: "bash",
  Fortran: "fortran",
  GLSL: "glsl",
  Gherkin: "gherkin",
  Go: "go",
  GraphQL: "graphql",
  Groovy: "groovy",
  HTML: "xml",
  HTTP: "http",
  Haml: "haml",
  Haskell: "haskell",
  Haxe: "haxe",
  INI: "ini",
  JSON: "json",
  "JSON-LD": "json",
  JSX: "javascript",
  Java: "java",
  JavaScript: "javascript",
  Julia: "julia",
  Kotlin: "kotlin",
  LLVM: "llvm",
  LessCss: "less",
  Lua: "lua",
  Makefile: "makefile",
  Matlab: "matlab",
  MySQL: "sql",
  NASM: "x86asm",
  "Nginx configuration file": "nginx",
  Nim: "nim",
  Nix: "nix",
  OCaml: "ocaml",
  "Objective-C": "objectivec",
  Octave: "matlab",
  PHP: "php",
  Perl: "perl",
  "PostgreSQL SQL dialect": "sql",
  PowerShell: "powershell",
  Prolog: "prolog",
  Properties: "properties",
  "Protocol Buffer": "protobuf",
  Puppet: "puppet",
  Python: "python",
  "Python 2.x": "python",
  "Python console session": "python-repl",
  QML: "qml",
  S: "r",
  Ruby: "ruby",
  Rust: "rust",
  SCSS: "scss",
  SQL: "sql",
  Scala: "scala",
  Scheme: "scheme",
  Smalltalk: "smalltalk",
  "Standard ML": "sml",
  Swift: "swift",
  TOML: "ini",
  Tcl: "tcl",
  TeX: "latex",
  TypeScript: "typescript",
  "VB.net": "vbnet",
  VBScript: "vbscript",
  vhdl: "vhdl",
  Vala: "vala",
  VimL: "vim",
  WebAssembly: "wasm",
  XML: "xml",
  XQuery: "xquery",
  YAML: "yaml",
  systemverilog: "verilog",
  verilog: "verilog",
};

/** highlight.js scopes to Pygments classes, the longer scope first where one contains another. */
const CLASSES: Record<string, string> = {
  "title.function": "nf",
  "title.class": "nc",
  "variable.language": "bp",
  "variable.constant": "no",
  "char.escape": "se",
  keyword: "k",
  built_in: "nb",
  type: "kt",
  literal: "kc",
  number: "mi",
  regexp: "sr",
  string: "s",
  subst: "si",
  symbol: "ss",
  title: "nf",
  comment: "c1",
  doctag: "cs",
  meta: "cp",
  section: "gh",
  name: "nt",
  attr: "na",
  attribute: "na",
  variable: "nv",
  emphasis: "ge",
  strong: "gs",
  addition: "gi",
  deletion: "gd",
  operator: "o",
  punctuation: "p",
  property: "na",
  params: "n",
  "selector-tag": "nt",
  "selector-id": "nn",
  "selector-class": "nc",
  "selector-attr": "na",
  "selector-pseudo": "nd",
  "template-tag": "cp",
  "template-variable": "nv",
};

/** null for code that takes too long. */
const cache = new Map<string, string | null>();
let cachedCharacters = 0;

/**
 * The code as highlighted HTML with unchanged text, or null when the language has no grammar here or the code
 * would take too long.
 */
export function highlight(code: string, language: string): string | null {
  const grammar = GRAMMARS[languageTitle(language) ?? ""];
  if (grammar === undefined || isIntricate(code, grammar)) return null;
  const key = `${grammar}\n${code}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const hljs = load(grammar);
  const value = withTimeLimit(
    BASE_MS + MS_PER_CHARACTER * code.length,
    () => hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value,
  );
  const html = value === undefined ? null : withPygmentsClasses(value);
  remember(key, html);
  return html;
}

function isIntricate(code: string, grammar: string): boolean {
  if (INTRICATE.test(code) || INTRICATE_RUNS[grammar]?.test(code)) return true;
  if (!SLOW_WITH_LONG_WORDS.has(grammar)) return false;
  const words = code.match(LONG_WORD) ?? [];
  return words.reduce((sum, { length }) => sum + length ** 2, 0) > MAX_SQUARES;
}

function load(grammar: string): HLJSApi {
  hljs ??= (require("highlight.js/lib/core") as HLJSApi).newInstance();
  if (hljs.getLanguage(grammar) === undefined) {
    hljs.registerLanguage(grammar, require(`highlight.js/lib/languages/${grammar}`) as LanguageFn);
    // The first call compiles the grammar, which is not to count as time of the code.
    hljs.highlight("", { language: grammar });
  }
  return hljs;
}

function remember(key: string, html: string | null): void {
  cache.set(key, html);
  cachedCharacters += key.length + (html?.length ?? 0);
  for (const [oldest, value] of cache) {
    if (cachedCharacters <= CACHED_CHARACTERS) return;
    cache.delete(oldest);
    cachedCharacters -= oldest.length + (value?.length ?? 0);
  }
}

function withPygmentsClasses(html: string): string {
  const isKept: boolean[] = [];
  return html.replace(
    /<span class="([^"]*)">|<\/span>|&quot;|&#x27;/g,
    (token, classes: string | undefined) => {
      if (token === "&quot;") return '"';
      if (token === "&#x27;") return "'";
      if (classes === undefined) return isKept.pop() === true ? token : "";
      const name = pygmentsClass(classes);
      isKept.push(name !== undefined);
      return name === undefined ? "" : `<span class="${name}">`;
    },
  );
}

/** The first of classes such as `hljs-title function_`. */
function pygmentsClass(classes: string): string | undefined {
  const [first = "", ...rest] = classes.replace(/^hljs-/, "").split(" ");
  const precise = rest
    .map((part) => CLASSES[`${first}.${part.replace(/_$/, "")}`])
    .find((name) => name !== undefined);
  return precise ?? CLASSES[first];
}
