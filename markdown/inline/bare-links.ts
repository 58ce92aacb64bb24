/**
 * Addresses typed as they are: `https://…`, `example.com/path`, `someone@example.com`, `bitcoin:…`.
 * One begins after a space or one of ' " ( , : < and ends before a space, less the punctuation that closes
 * a sentence. Parentheses in a path must pair up.
 */
import { OPEN } from "../marker.ts";
import { TOP_LEVEL_DOMAINS } from "../top-level-domains.ts";
import { storeBareLink } from "./links.ts";
import { HAS, type InlineRule, isSpace } from "./phrase.ts";

const OPENERS = "'\"(,:<";
const CLOSING = "!:;?),.'\">";
const MAX_PAREN_DEPTH = 7;
const BITCOIN = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y;

export const bareLink: InlineRule = {
  needs: HAS.dot | HAS.colon | HAS.at,
  apply(text, session) {
    let out = "";
    let done = 0;
    for (const { start, end } of bareLinksIn(text)) {
      const url = text.slice(start, end);
      out += text.slice(done, start) + storeBareLink(url, url, session);
      done = end;
    }
    return done === 0 ? text : out + text.slice(done);
  },
};

/** The positions of a text's bare addresses. */
export function bareLinksIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  while (start < text.length) {
    while (start < text.length && isSpace(text[start]!)) start++;
    const token = tokenAt(text, start);
    if (token.mayLink) findInToken(text, start, token, found);
    start = token.end + 1;
  }
  return found;
}

function findInToken(
  text: string,
  start: number,
  token: Token,
  found: { start: number; end: number }[],
): void {
  for (let at = start; at < token.end; at++) {
    if (at > start && !OPENERS.includes(text[at - 1]!)) continue;
    const end = linkEnd(text, at, token);
    if (end === -1 || text.slice(at, end).includes(OPEN)) continue;
    found.push({ start: at, end });
    return;
  }
}

interface Token {
  end: number;
  /** Where the punctuation begins that runs to the end of the token. */
  closing: number;
  mayLink: boolean;
}

function tokenAt(text: string, start: number): Token {
  let end = start;
  let mayLink = false;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 32 || code === 10 || (code > 126 && isSpace(text[end]!))) break;
    // Every kind of address except Bitcoin's contains a dot before another character, "@" or "://".
    if (
      code === 46
        ? end > start
        : code === 64 ||
          (code === 58 && (text.charCodeAt(end + 1) === 47 || text.startsWith("bitcoin", end - 7)))
    )
      mayLink = true;
  }
  let closing = end;
  while (closing > start && CLOSING.includes(text[closing - 1]!)) closing--;
  return { end, closing, mayLink };
}

/** Where the address that begins at `start` ends, or -1. */
function linkEnd(text: string, start: number, token: Token): number {
  let end = -1;
  if (text.startsWith("http", start)) end = schemeEnd(text, start, token);
  if (end === -1) end = domainEnd(text, start, token);
  if (end === -1) end = emailEnd(text, start, token);
  if (end === -1 && text.startsWith("bitcoin:", start)) {
    BITCOIN.lastIndex = start;
    if (BITCOIN.test(text) && BITCOIN.lastIndex >= token.closing) end = BITCOIN.lastIndex;
  }
  return end;
}

/** After `http://` or `https://` any host passes, with a port and a name before "@". */
function schemeEnd(text: string, start: number, token: Token): number {
  const colon = text.charCodeAt(start + 4) === 115 ? start + 5 : start + 4;
  if (!text.startsWith("://", colon)) return -1;
  const host = colon + 3;
  let end = host;
  while (end < token.end && isHostCharacter(text, end)) end++;
  if (end === host) return -1;
  if (token.closing <= end) return Math.max(token.closing, host + 1);
  const next = text.charCodeAt(end);
  return next === 47 || next === 63 || next === 35 ? pathEnd(text, end, token) : -1;
}

/** Without a scheme, the last label must be a known top-level domain. */
function domainEnd(text: string, start: number, token: Token): number {
  let end = start;
  while (
    end < token.end &&
    (isWordCharacter(text, end) || text.charCodeAt(end) === 45 || text.charCodeAt(end) === 46)
  )
    end++;
  const hasPath = text.charCodeAt(end) === 47 && end < token.end;
  if (!hasPath && end < token.closing) return -1;
  const host = hasPath ? end : Math.min(end, token.closing);
  const dot = text.lastIndexOf(".", host - 1);
  if (dot <= start || text.charCodeAt(start) === 46 || !TOP_LEVEL_DOMAINS.has(text.slice(dot + 1, host)))
    return -1;
  if (text.slice(start, dot).includes("..")) return -1;
  return hasPath ? pathEnd(text, end, token) : host;
}

/**
 * The end of the path that begins at `start`: at the closing punctuation, or later if parentheses are
 * still open there.
 */
function pathEnd(text: string, start: number, token: Token): number {
  let depth = 0;
  for (let at = start; at < token.end; at++) {
    if (at > start && at >= token.closing && depth === 0) return at;
    const code = text.charCodeAt(at);
    if (code === 34) return -1;
    if (code === 40 && ++depth > MAX_PAREN_DEPTH) return -1;
    if (code === 41 && --depth < 0) return -1;
  }
  return depth === 0 ? token.end : -1;
}

function emailEnd(text: string, start: number, token: Token): number {
  let at = start;
  while (
    at < token.end &&
    (isWordCharacter(text, at) || text.charCodeAt(at) === 45 || text.charCodeAt(at) === 46)
  )
    at++;
  if (at === start || text.charCodeAt(at) !== 64) return -1;
  const domain = at + 1;
  let end = domain;
  while (
    end < token.end &&
    (isWordCharacter(text, end) || text.charCodeAt(end) === 45 || text.charCodeAt(end) === 46)
  )
    end++;
  while (end > domain && text.charCodeAt(end - 1) === 46) end--;
  const dot = text.lastIndexOf(".", end - 1);
  const isDomain = dot > domain && !text.slice(dot + 1, end).includes("-");
  return isDomain && end >= token.closing ? end : -1;
}

function isHostCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 46 || code === 58 || code === 64 || code === 45 || isWordCharacter(text, index);
}

function isWordCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128)
    return (
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
    );
  if (code >= 0xd800 && code <= 0xdfff)
    return /[\p{L}\p{N}]/u.test(String.fromCodePoint(text.codePointAt(code >= 0xdc00 ? index - 1 : index)!));
  return /[\p{L}\p{N}]/u.test(text[index]!);
}
