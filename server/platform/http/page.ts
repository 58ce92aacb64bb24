import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

/** HTML that is safe to send: made by `html` only, which escapes whatever is put into it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | undefined | false | readonly Piece[];

/** A template whose pieces are escaped, unless they are Html themselves. Lists are joined; undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = strings[0] as string;
  for (const [index, piece] of pieces.entries()) text += write(piece) + (strings[index + 1] as string);
  return new Html(text);
}

export interface Page {
  title: string;
  body: Html;
  /** A style sheet of the page's own; the policy allows exactly this text. */
  style?: string;
}

/** Sends a whole page under a policy that lets it run and load nothing foreign. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  // The hash in the policy is of the exact text, so it goes in as it is; a sheet has no use for "<".
  const style = page.style?.replace(/</g, "");
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${style !== undefined && new Html(`<style>${style}</style>`)}
</head>
<body>
${page.body}
</body>
</html>
`;
  return reply
    .code(status)
    .header("Content-Type", "text/html; charset=utf-8")
    .header("Content-Security-Policy", contentSecurityPolicy({ styles: style === undefined ? [] : [style] }))
    .header("Cache-Control", "no-store")
    .send(text);
}

/** The strict policy: own files only, no frames around, and of inline styles only the given texts. */
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
