import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { isolationHeaders } from "./answer.ts";
import { dropRest, hasLongRest } from "./unread-body.ts";

/** HTML that is safe to send. Only `html` makes it, which escapes the pieces that are put into it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | undefined | false | readonly Piece[];

/** A template. Pieces that are not Html are escaped, lists are joined, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = strings[0] as string;
  for (const [index, piece] of pieces.entries()) text += write(piece) + (strings[index + 1] as string);
  return new Html(text);
}

/** A script of the server's own. In a template of `html`, its end tag would need a helper of the bundler. */
export function scriptTag(src: string): Html {
  return new Html(`<script ${html`src="${src}" defer`.text}></script>`);
}

export interface Page {
  title: string;
  body: Html;
  /** An inline style sheet. The policy allows exactly this text. */
  style?: string;
  /** English without it. */
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
  const { text, headers } = writePage(page);
  return reply
    .code(status)
    .headers(headers)
    .header("Cache-Control", "no-store")
    .send(hasLongRest(reply.request.raw) ? early(reply, text) : text);
}

/** The whole text of a page, and the headers that belong to it. */
export function writePage(page: Page): { text: string; headers: Readonly<Record<string, string>> } {
  // The policy has the hash of the exact text, so the text is not escaped. A style sheet needs no "<".
  const style = page.style?.replace(/</g, "");
  const { text } = html`<!doctype html>
<html lang="${page.language ?? "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/logo.svg" type="image/svg+xml">
<title>${page.title}</title>
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
  };
  return { text, headers };
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

function write(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (piece === undefined || piece === false) return "";
  if (typeof piece === "object") return piece.map(write).join("");
  return escapeHtml(String(piece));
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
