import { escapeAttribute, escapeText } from "../escape.ts";
import type { Session } from "../session.ts";
import { relativeToOrganization, safeUrl } from "../url.ts";
import { HAS, type InlineRule } from "./phrase.ts";
import { resolvePhrases } from "./resolve.ts";

const AUDIO = /\.(aac|flac|mp3|mpga|wav)$/i;

/**
 * `[text](address "title")`, and `![name](address)` for uploaded sound files. The text is taken as it stands,
 * without other syntax.
 */
export const namedLink: InlineRule = {
  needs: HAS.bracket,
  apply(text, session) {
    if (!text.includes("](")) return text;
    const closers = matchClosers(text);
    let out = "";
    let done = 0;
    for (let at = text.indexOf("["); at !== -1; at = text.indexOf("[", at + 1)) {
      const close = closers.get(at);
      if (close === undefined || text.charCodeAt(close + 1) !== 40) continue;
      const target = readTarget(text, close + 1, closers);
      if (target === null) continue;
      const isMedia = at > done && text.charCodeAt(at - 1) === 33;
      const label = text.slice(at + 1, close);
      const marker = isMedia
        ? storePlayer(label, target.url, session)
        : storeLink(label, target, text.slice(at, target.end), session);
      if (marker === null) continue;
      out += text.slice(done, isMedia ? at - 1 : at) + marker;
      done = target.end;
      at = done - 1;
    }
    return done === 0 ? text : out + text.slice(done);
  },
};

/**
 * An anchor for an address that was typed without a name, or the address as text when it may not be linked.
 */
export function storeBareLink(url: string, label: string, session: Session): string {
  const safe = safeUrl(url);
  if (safe === null) return session.storePhrase(escapeText(label), label);
  const href = relativeToOrganization(safe, session.lookups);
  const html = `<a href="${escapeAttribute(href)}">${escapeText(label)}</a>`;
  return session.storePhrase(html, label, { href, text: label, depth: 0, isAlone: false });
}

function storeLink(label: string, target: Target, source: string, session: Session): string | null {
  const safe = safeUrl(session.sourceOf(target.url).trim());
  if (safe === null) return null;
  const href = relativeToOrganization(safe, session.lookups);
  const text = label.trim() === "" ? href : label;
  const title = target.title === null ? "" : ` title="${escapeAttribute(session.sourceOf(target.title))}"`;
  const inside = resolvePhrases(text, session, escapeText);
  // Links can't nest: an inner link stays as typed.
  const shown = inside.includes("<a ") ? escapeText(session.sourceOf(text)) : inside;
  const html = `<a href="${escapeAttribute(href)}"${title}>${shown}</a>`;
  return session.storePhrase(html, source, { href, text: session.sourceOf(text), depth: 0, isAlone: false });
}

function storePlayer(label: string, url: string, session: Session): string | null {
  const safe = safeUrl(session.sourceOf(url).trim());
  if (safe === null || !AUDIO.test(safe.replace(/[?#].*$/, "")) || session.lookups.inlinePreviews === false)
    return null;
  const href = relativeToOrganization(safe, session.lookups);
  const isOutside = /^[a-z]+:/i.test(href);
  if (isOutside && !/^https?:/.test(href)) return null;
  const src = isOutside ? outsideSound(href, session) : href.startsWith("/") ? href : `/${href}`;
  if (src === null) return null;
  const original = src === href || !isOutside ? "" : ` data-original-url="${escapeAttribute(href)}"`;
  const name = session.sourceOf(label) || href;
  const html = `<audio controls${original} preload="metadata" src="${escapeAttribute(src)}" title="${escapeAttribute(name)}"></audio>`;
  return session.storePhrase(html, `![${label}](${url})`, { href, text: name, depth: 1, isAlone: false });
}

function outsideSound(href: string, { lookups }: Session): string | null {
  return lookups.proxiedMediaUrl ? lookups.proxiedMediaUrl(href) : href;
}

interface Target {
  url: string;
  title: string | null;
  /** Just after the closing parenthesis. */
  end: number;
}

/**
 * The white space before a title belongs to the title. Otherwise a long gap could be divided in many ways.
 */
const ANGLED = /\(\s*<([^<>]*)>(?:\s*(?:'([^']*)'|"([^"]*)"))?\s*\)/y;
const TITLED = /\(\s*([^\s()<>"']+)\s+"([^"\n]*)"\s*\)/y;

function readTarget(text: string, open: number, closers: Closers): Target | null {
  ANGLED.lastIndex = open;
  const angled = ANGLED.exec(text);
  if (angled !== null) {
    return { url: angled[1]!, title: cleanTitle(angled[2] ?? angled[3] ?? null), end: ANGLED.lastIndex };
  }
  TITLED.lastIndex = open;
  const titled = TITLED.exec(text);
  if (titled !== null) return { url: titled[1]!, title: cleanTitle(titled[2]!), end: TITLED.lastIndex };
  const close = closers.get(open);
  if (close === undefined) return null;
  const inside = text.slice(open + 1, close).trim();
  const quote = inside.slice(-1);
  const start = quote === '"' || quote === "'" ? inside.indexOf(quote) : inside.length - 1;
  if (start >= inside.length - 1) return { url: inside, title: null, end: close + 1 };
  return { url: inside.slice(0, start), title: cleanTitle(inside.slice(start + 1, -1)), end: close + 1 };
}

function cleanTitle(title: string | null): string | null {
  return title === null ? null : title.trim().replace(/\s/g, " ");
}

type Closers = Map<number, number>;

/**
 * For each bracket or parenthesis, the position of its partner. Found in one pass, so that "[" five
 * thousand times costs no more.
 */
function matchClosers(text: string): Closers {
  const closers: Closers = new Map();
  const squares: number[] = [];
  const rounds: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 91) squares.push(i);
    else if (code === 40) rounds.push(i);
    else if (code === 93) pair(squares, i, closers);
    else if (code === 41) pair(rounds, i, closers);
  }
  return closers;
}

function pair(open: number[], close: number, closers: Closers): void {
  const start = open.pop();
  if (start !== undefined) closers.set(start, close);
}
