/**
 * The built client: its HTML and what that refers to, in memory. Tests and sources that were never built have
 * none.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

export interface WebFile {
  type: string;
  etag: string;
  bodies: { identity: Buffer } & Record<"br" | "gzip", Buffer | undefined>;
}

export interface WebFiles {
  html: WebFile;
  /** For the HTML: its inline script is allowed by its hash. */
  policy: string;
  /** By name below /assets/. */
  assets: ReadonlyMap<string, WebFile>;
  /** Which version of the client this is. */
  build: string;
  worker: WebFile | undefined;
  manifest: Record<string, unknown>;
}

const STAMP = ".built-web";

/** In dist/, from sources or from dist/ itself. */
const folders = ["../../../web/", "../../../dist/web/"].map((path) => new URL(path, import.meta.url));

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

export function readWebFiles(places: readonly URL[] = folders): WebFiles | undefined {
  const folder = places.find((place) => existsSync(new URL(STAMP, place)));
  if (!folder) return undefined;
  const html = readFile(new URL("index.html", folder));
  const names = readdirSync(new URL("assets/", folder)).filter((name) => !/\.(br|gz)$/.test(name));
  const text = html.bodies.identity.toString();
  const worker = new URL("service-worker.js", folder);
  const manifest = new URL("app.webmanifest", folder);
  return {
    build: /data-build="([^"]+)"/.exec(text)?.[1] ?? "",
    worker: existsSync(worker) ? readFile(worker) : undefined,
    manifest: existsSync(manifest)
      ? (JSON.parse(readFileSync(manifest, "utf8")) as Record<string, unknown>)
      : {},
    html,
    policy: policyOf(text),
    assets: new Map(names.map((name) => [name, readFile(new URL(`assets/${name}`, folder))])),
  };
}

function readFile(place: URL): WebFile {
  const identity = readFileSync(place);
  // A build that was cut short may lack them.
  const other = (ending: string) => {
    const packed = new URL(`${place.href}${ending}`);
    return existsSync(packed) ? readFileSync(packed) : undefined;
  };
  return {
    type: types[extname(place.pathname)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    bodies: { identity, br: other(".br"), gzip: other(".gz") },
  };
}

/**
 * Only the server's own files, and no text of a person as markup: `message-html` is the client's one way to
 * show rendered messages, `templates` is the view library's for constant texts of the program, and
 * `service-worker` allows the one worker.
 */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = ""]) => ` 'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self'${scripts.join("")}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "media-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types message-html templates service-worker",
  ].join("; ");
}
