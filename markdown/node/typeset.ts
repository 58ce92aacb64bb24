/** Formulas through KaTeX, on the server only. It is loaded when a message first needs it. */
import { createRequire } from "node:module";
import type Katex from "katex";

const require = createRequire(import.meta.url);
let loaded: typeof Katex | undefined;

const MAX_LENGTH = 1500;
/** Formulas that define macros can grow without bound when they are expanded. */
const MAX_LENGTH_WITH_MACROS = 300;
const DEFINES_MACROS =
  /\\(?:[gex]?def|newcommand|renewcommand|providecommand|(?:future)?let|global|long)(?![a-zA-Z])/;
const CACHED = 500;

const cache = new Map<string, string | null>();

/** In em. KaTeX limits sizes, but not how far content is moved back or down, over other people's messages. */
const MAX_PUSH = 50;
const DOWN = /style="[^"]*-\d{3,}(?:\.\d+)?em/;
const BACK = /margin-(?:left|right):-([\d.]+)em/g;

/** The formula as HTML with MathML, or null when it does not parse or is too long. */
export function typeset(tex: string, isDisplay: boolean): string | null {
  if (tex.length > MAX_LENGTH) return null;
  const hasMacros = DEFINES_MACROS.test(tex);
  if (hasMacros && tex.length > MAX_LENGTH_WITH_MACROS) return null;
  const key = `${isDisplay ? "d" : "i"}${tex}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const html = render(tex, isDisplay, hasMacros);
  if (cache.size >= CACHED) cache.delete(cache.keys().next().value!);
  cache.set(key, html);
  return html;
}

function render(tex: string, isDisplay: boolean, hasMacros: boolean): string | null {
  loaded ??= require("katex") as typeof Katex;
  const katex = loaded;
  const { warn } = console;
  // KaTeX reports characters that its fonts lack to the console. A message's text must not appear there.
  console.warn = () => undefined;
  try {
    const html = katex.renderToString(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxSize: 50,
      maxExpand: hasMacros ? 100 : 1000,
    });
    return isInPlace(html) ? html : null;
  } catch (error) {
    // KaTeX throws its own error for a formula that it can't parse, and a RangeError for too deep
    // nesting. Both leave the text as typed.
    if (error instanceof katex.ParseError || error instanceof RangeError) return null;
    throw error;
  } finally {
    console.warn = warn;
  }
}

function isInPlace(html: string): boolean {
  if (DOWN.test(html)) return false;
  let back = 0;
  for (const [, length] of html.matchAll(BACK)) back += Number(length);
  return back <= MAX_PUSH;
}
