import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { acceptedLanguage } from "./accepted-language.ts";
import { isolationHeaders } from "./answer.ts";
import { dropRest, hasLongRest } from "./unread-body.ts";

/** The languages that pages for people without a session are written in. */
export const pageLanguages = ["en", "de"] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** HTML that is safe to send. Only `html` makes it, which escapes the pieces that are put into it. */
export class Html {
  readonly #parts: readonly (string | PageText)[];

  constructor(...parts: readonly (string | PageText)[]) {
    this.#parts = parts;
  }

  /** As it is where nobody asks for a language, such as in a mail. */
  get text(): string {
    return this.in("en");
  }

  in(language: PageLanguage): string {
    return this.#parts.map((part) => (typeof part === "string" ? part : part.in(language).text)).join("");
  }

  /** Whether it differs by language. */
  get hasTexts(): boolean {
    return this.#parts.some((part) => typeof part !== "string");
  }

  get parts(): readonly (string | PageText)[] {
    return this.#parts;
  }
}

/**
 * A text that is written in the reader's language when the page is sent. Texts come from `pageTexts`. A
 * `{name}` stands for a value, which may be HTML.
 */
export class PageText {
  readonly #texts: Readonly<Record<PageLanguage, string>>;
  readonly #values: PageTextValues;

  constructor(texts: Readonly<Record<PageLanguage, string>>, values: PageTextValues = {}) {
    this.#texts = texts;
    this.#values = values;
  }

  in(language: PageLanguage): Html {
    const pieces = this.#texts[language].split(/\{(\w+)\}/);
    // Names are at the odd places.
    const filled = pieces.map((piece, index) => (index % 2 === 0 ? piece : this.#values[piece]));
    return new Html(new Html(...filled.flatMap(partsOf)).in(language));
  }
}

export type PageTextValues = Readonly<Record<string, string | number | Html | PageText>>;

type Piece = string | number | Html | PageText | undefined | false | readonly Piece[];

/** A template. Pieces that are not Html are escaped, lists are joined, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  const parts: (string | PageText)[] = [strings[0] as string];
  for (const [index, piece] of pieces.entries()) parts.push(...partsOf(piece), strings[index + 1] as string);
  return new Html(...joined(parts));
}

/** Texts that follow each other are one part. */
function joined(parts: readonly (string | PageText)[]): (string | PageText)[] {
  const result: (string | PageText)[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === "string" && typeof last === "string") result[result.length - 1] = last + part;
    else result.push(part);
  }
  return result;
}

/** A script of the server's own. In a template of `html`, its end tag would need a helper of the bundler. */
export function scriptTag(src: string): Html {
  return new Html(`<script ${html`src="${src}" defer`.text}></script>`);
}

export interface Page {
  title: string | Html | PageText;
  body: Html;
  /** An inline style sheet. The policy allows exactly this text. */
  style?: string;
  /** Without it, the browser's. A page that has no texts of a catalogue is English then. */
  language?: string;
}

/** A page with its status. */
export interface PageResponse {
  status: number;
  page: Page;
}

export type PageOrRedirect = PageResponse | { location: string };

/** A form answers with a redirect, so that a reload of the next page does not send the form again. */
export function sendPageOrRedirect(reply: FastifyReply, response: PageOrRedirect): FastifyReply {
  return "location" in response
    ? reply.redirect(response.location, 303)
    : sendPage(reply, response.status, response.page);
}

/** Sends a whole page with a policy that allows only the server's own files. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const asked = acceptedLanguage(reply.request.headers["accept-language"], pageLanguages);
  const { text, headers } = writePage(page, asked);
  return reply
    .code(status)
    .headers(headers)
    .header("Cache-Control", "no-store")
    .send(hasLongRest(reply.request.raw) ? early(reply, text) : text);
}

/** The whole text of a page, and the headers that belong to it. */
export function writePage(
  page: Page,
  asked: PageLanguage = "en",
): { text: string; headers: Readonly<Record<string, string>> } {
  // The policy has the hash of the exact text, so the text is not escaped. A style sheet needs no "<".
  const style = page.style?.replace(/</g, "");
  const title = html`${page.title}`;
  const hasTexts = page.language === undefined && (page.body.hasTexts || title.hasTexts);
  const language = hasTexts ? asked : "en";
  const whole = html`<!doctype html>
<html lang="${page.language ?? language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/logo.svg" type="image/svg+xml">
<title>${title}</title>
${style !== undefined && new Html(`<style>${style}</style>`)}
</head>
<body>
${page.body}
</body>
</html>
`;
  const policy = contentSecurityPolicy({ styles: style === undefined ? [] : [style] });
  const headers = {
    ...isolationHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    ...(hasTexts && { Vary: "Accept-Language" }),
  };
  return { text: whole.in(language), headers };
}

/** A page for a request whose body is still arriving. The client gets the page at once. */
function early(reply: FastifyReply, text: string): Readable {
  reply.header("Connection", "close").header("Content-Length", Buffer.byteLength(text));
  const page = new Readable({ read() {} });
  page.push(text);
  dropRest(reply.request.raw, () => page.push(null));
  return page;
}

/** The strict policy: only the server's own files, no framing, and only the given inline styles. */
export function contentSecurityPolicy({ styles = [] }: { styles?: readonly string[] } = {}): string {
  const hashes = styles.map((style) => ` 'sha256-${createHash("sha256").update(style).digest("base64")}'`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${hashes.join("")}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function partsOf(piece: Piece): readonly (string | PageText)[] {
  if (piece instanceof Html) return piece.parts;
  if (piece instanceof PageText) return [piece];
  if (piece === undefined || piece === false) return [];
  if (typeof piece === "object") return piece.flatMap(partsOf);
  return [escapeHtml(String(piece))];
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
