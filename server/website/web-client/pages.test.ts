import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { publicFile } from "../../platform/http/page-routes.ts";
import { WebClient } from "./pages.ts";

const html = "<!doctype html><script>start()</script>";
const session = { cookie: "parley-session=anything" };

async function serve(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-web-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, "assets"));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
  }
  const client = new WebClient([pathToFileURL(`${folder}/`)]);
  return startToyServer({
    pages: [...client.files, publicFile("/", ({ request, reply }) => client.send(request, reply))],
  });
}

const built = { "index.html": html, "assets/app-1a2b.js": "app()", ".built-web": "" };

test("the client's page has a strict policy, which allows its own script by its hash", async () => {
  const { call } = await serve(built);
  const { headers, body } = await call("GET", "/", { headers: session });
  expect(body).toBe(html);
  const policy = String(headers["content-security-policy"]);
  for (const part of [
    "default-src 'none'",
    "script-src 'self' 'sha256-",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    expect(policy).toContain(part);
  }
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(headers["cache-control"]).toBe("no-cache");
  const again = await call("GET", "/", { headers: { ...session, "if-none-match": String(headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("files with a hash in their name are kept for good, and sent compressed", async () => {
  const { call } = await serve(built);
  const plain = await call("GET", "/assets/app-1a2b.js");
  expect([plain.body, plain.headers["cache-control"]]).toEqual([
    "app()",
    "public, max-age=31536000, immutable",
  ]);
  const headers = { "accept-encoding": "gzip, br" };
  const small = await call("GET", "/assets/app-1a2b.js", { headers });
  expect([small.headers["content-encoding"], small.headers.vary]).toEqual(["br", "Accept-Encoding"]);
  for (const name of ["app-1a2b.js.br", "other.js", "..%2findex.html"]) {
    expect((await call("GET", `/assets/${name}`)).statusCode).toBe(404);
  }
});

test("who has no session is led to the form, and back to the same address", async () => {
  const { call } = await serve(built);
  const { statusCode, headers } = await call("GET", "/?language=de");
  expect([statusCode, headers.location]).toEqual([303, "/login?next=%2F%3Flanguage%3Dde"]);
});

test("a server without a built client says so", async () => {
  const { call } = await serve({});
  expect((await call("GET", "/", { headers: session })).body).toContain("npm run build:web");
});
