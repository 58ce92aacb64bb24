/**
 * The allowlist for rendered messages, for tests and for HTML that somebody brings along: anything else is a
 * security hole. It knows the flavour's elements and attributes, the nesting of tags, the allowed link
 * targets, and the styles that KaTeX and tables set.
 */

import { CLOSE, OPEN } from "./marker.ts";

const ATTRIBUTES: Record<string, RegExp> = {
  a: /^(class|href|style|title|data-stream-id|data-id)$/,
  annotation: /^encoding$/,
  audio: /^(controls|data-original-url|preload|src|title)$/,
  div: /^(class|data-code-language|aria-hidden)$/,
  img: /^(alt|class|src|title|data-src-fullsize|data-original-content-type|data-original-dimensions|data-transcoded-image|data-animated)$/,
  ol: /^start$/,
  span: /^(class|style|title|role|aria-label|aria-hidden|data-user-id|data-user-group-id)$/,
  td: /^style$/,
  th: /^style$/,
  time: /^datetime$/,
  video: /^(data-video-original-url|preload|src)$/,
};
const PLAIN = /^(p|br|hr|em|strong|del|code|pre|blockquote|ul|li|table|thead|tbody|tr|h[1-6])$/;
const MATHS = /^(math|semantics|m[a-z]+|svg|path|line)$/;
const MATHS_ATTRIBUTE =
  /^(xmlns|display|class|style|width|height|viewBox|preserveAspectRatio|d|x1|x2|y1|y2|stroke-width|math[a-z]+|stretchy|separator|fence|form|lspace|rspace|minsize|maxsize|accent|accentunder|columnalign|columnspacing|rowspacing|columnlines|rowlines|scriptlevel|displaystyle|linethickness|linebreak|movablelimits|notation|voffset|symmetric|side|frame|columnwidth|depth|largeop|encoding)$/;
const VOID = new Set(["br", "hr", "img"]);
const SAFE_URL = /^(https?:|ftp:|mailto:|file:|bitcoin:|sms:|tel:|\/|#|[\w%.~-]+(\/|$|\?))/;
const SAFE_STYLE =
  /^((height|width|min-width|vertical-align|top|left|bottom|right|margin|margin-left|margin-right|margin-top|padding|padding-left|border-width|border-bottom-width|border-top-width|border-right-width|border-style|border-color|position|color|background-color|text-align|text-shadow|border-left-width|border-right-style):[^;:()<>"]*;\s*)*$/;

/** The picture of a linked page: the one style that loads something, from the server alone. */
const PAGE_PICTURE = /^background-image: url\(&quot;\/external_content\/[0-9a-f]+\/[0-9a-f]+&quot;\)$/;

/** Content drawn this far from its place covers other messages. */
const FAR_AWAY = /-\d{3,}(\.\d+)?em/;

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:="[^"<>]*")?)*)(\/?)>/gy;

/** Everything in the HTML that is not allowed; empty if it is safe. */
export function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    TAG.lastIndex = at;
    const tag = TAG.exec(html);
    if (tag === null) {
      faults.push(`not a tag: ${html.slice(at, at + 60)}`);
      continue;
    }
    const [, slash, name = "", attributes = "", selfClosing] = tag;
    if (slash === "/") {
      if (open.pop() !== name) faults.push(`closes out of order: ${name}`);
      continue;
    }
    if (name === "a" && open.includes("a")) faults.push("a link in a link");
    if (!VOID.has(name) && !(selfClosing === "/" && MATHS.test(name))) open.push(name);
    faults.push(...tagFaults(name, attributes));
  }
  if (open.length > 0) faults.push(`left open: ${open.join(" ")}`);
  if (html.includes(OPEN) || html.includes(CLOSE)) faults.push("a marker is left");
  return faults;
}

function tagFaults(name: string, attributes: string): string[] {
  const isMaths = MATHS.test(name);
  if (!isMaths && !PLAIN.test(name) && ATTRIBUTES[name] === undefined) return [`element: ${name}`];
  const faults: string[] = [];
  for (const [, key = "", value = ""] of attributes.matchAll(/([a-zA-Z][\w-]*)(?:="([^"]*)")?/g)) {
    if (!(isMaths ? MATHS_ATTRIBUTE : (ATTRIBUTES[name] ?? /^$/)).test(key))
      faults.push(`attribute: ${name} ${key}`);
    if (/^(href|src)$/.test(key) && !SAFE_URL.test(value)) faults.push(`address: ${value}`);
    const isSafeStyle = name === "a" ? PAGE_PICTURE.test(value) : SAFE_STYLE.test(value);
    if (key === "style" && (!isSafeStyle || FAR_AWAY.test(value))) faults.push(`style: ${value}`);
  }
  return faults;
}

/** Every address that a client loads by itself when it shows the HTML; links are not among them. */
export function loadedAddresses(html: string): string[] {
  const attributes = [...html.matchAll(/\s(?:src|srcset|poster|data-src-fullsize|background)="([^"]*)"/g)];
  const styles = [...html.matchAll(/<[^>]*\sstyle="[^"]*?url\((?:&quot;|')?([^"]*?)(?:&quot;|')?\)/g)];
  return [...attributes, ...styles].map(([, address = ""]) => address);
}
