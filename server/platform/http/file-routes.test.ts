import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { ApiError, errors } from "../../../api/errors.ts";
import { LONG_WINDOW_SECONDS } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";
import type { HttpOptions } from "./app.ts";
import type { Caller } from "./caller.ts";
import { fileRouteFor } from "./file-routes.ts";
import { answerWithFile } from "./send-file.ts";

let opened: Readable[] = [];
afterEach(() => {
  opened = [];
});

const storage = {
  size: async (key: string) => (key === "1/a" ? 8 : undefined),
  async open(key: string) {
    if (key !== "1/a") return undefined;
    const stream = Readable.from(["the ", "text"]);
    opened.push(stream);
    return { size: 8, stream };
  },
};

const start = (access: "anyone" | "spectator", change: Partial<HttpOptions> = {}) =>
  startToyServer({
    fileRoutes: [
      fileRouteFor<Caller>()({
        name: "readToy",
        url: "/toys/*",
        access,
        async answer({ viewer, params: { path, request } }) {
          if (path["*"] === "forbidden") throw new ApiError(errors.fileNotReadable);
          const file = { key: `1/${path["*"]}`, contentType: "text/plain", tag: "a" };
          return answerWithFile(request, storage, file, { "X-Reader": String(viewer?.user.id) });
        },
      }),
    ],
    ...change,
  });

test("a file goes to whom its handler gives it, by the credentials of a call", async () => {
  const server = await start("spectator", { canSpectate: () => false });
  const { statusCode, body: text, headers } = await server.call("GET", "/toys/a", { as: "mia" });
  expect([statusCode, text]).toEqual([200, "the text"]);
  expect(headers).toMatchObject({
    "content-length": "8",
    "content-type": "text/plain",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.any(String),
  });
  const nobody = await server.call("GET", "/toys/a");
  expect([nobody.statusCode, body(nobody).code]).toEqual([401, "UNAUTHORIZED"]);
  const wrong = await server.call("GET", "/toys/a", { headers: { authorization: "Basic bm86bm8=" } });
  expect(wrong.statusCode).toBe(401);
  const elsewhere = await server.call("GET", "/toys/a", { as: "mia", headers: { host: "nowhere.test" } });
  expect(elsewhere.statusCode).toBe(404);
});

test("a visitor gets it where visitors are let in, and everybody where the address itself says so", async () => {
  const open = await start("spectator", { canSpectate: () => true });
  expect((await open.call("GET", "/toys/a")).headers["x-reader"]).toBe("undefined");
  const byAddress = await start("anyone", { canSpectate: () => false });
  expect((await byAddress.call("GET", "/toys/a")).statusCode).toBe(200);
});

test("what it can't give is an error of the API", async () => {
  const server = await start("anyone");
  const forbidden = await server.call("GET", "/toys/forbidden");
  expect([forbidden.statusCode, body(forbidden).result]).toEqual([403, "error"]);
  expect((await server.call("GET", "/toys/b")).statusCode).toBe(404);
  const post = await server.call("POST", "/toys/a");
  expect([post.statusCode, body(post).allowed_methods]).toEqual([405, ["GET", "HEAD"]]);
});

test("a HEAD opens nothing, and gets the same headers", async () => {
  const server = await start("anyone");
  const { statusCode, headers, body: text } = await server.call("HEAD", "/toys/a");
  expect([statusCode, headers["content-length"], text]).toEqual([200, "8", ""]);
  expect(opened).toEqual([]);
});

test("files have a limit of their own, twenty times that of calls, for accounts too", async () => {
  const server = await start("spectator", {
    rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 2, perAddress: 2 },
    canSpectate: () => true,
  });
  const statuses = async (as?: "mia") => {
    const found: number[] = [];
    for (let each = 0; each < 41; each++) {
      found.push((await server.call("GET", "/toys/a", as && { as })).statusCode);
    }
    return found;
  };
  expect(await statuses()).toEqual([...Array(40).fill(200), 429]);
  expect(await statuses("mia")).toEqual([...Array(40).fill(200), 429]);
});

test("the page in the place of a file is in the language that the browser asks for", async () => {
  const visitors = { find: async () => undefined, signInPath: "/login" };
  const server = await start("spectator", { canSpectate: () => false, pageVisitors: visitors });
  const headers = { accept: "text/html,*/*;q=0.8", "accept-language": "fr, de-AT;q=0.8, en;q=0.5" };
  const open = async (path: string, as?: "mia") => (await server.call("GET", path, { as, headers })).body;
  const refused = await open("/toys/forbidden", "mia");
  expect(refused).toContain("Du kannst diese Datei nicht sehen");
  expect(refused).toContain('<html lang="de"');
  expect(await open("/toys/gone", "mia")).toContain("Diese Datei gibt es hier nicht");
  expect(await open("/toys/a")).toContain(">Anmelden</a>");
});

test("a person who opens a file that they don't get sees a page, and programs get the error", async () => {
  const visitors = { find: async () => undefined, signInPath: "/login" };
  const server = await start("spectator", { canSpectate: () => false, pageVisitors: visitors });
  const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const open = (path: string, as?: "mia") => server.call("GET", path, { as, headers: { accept } });
  const refused = await open("/toys/forbidden", "mia");
  expect([refused.statusCode, refused.headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
  expect(refused.body).toContain("You can’t see this file");
  expect(refused.headers).toMatchObject({
    "cache-control": "no-store",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "cross-origin-opener-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  const missing = await open("/toys/gone", "mia");
  expect([missing.statusCode, missing.body]).toEqual([404, expect.stringContaining("This file is not here")]);
  const nobody = await open("/toys/a?<b>");
  expect(nobody.statusCode).toBe(401);
  expect(nobody.body).toContain(`href="/login?next=%2F`);
  expect(nobody.body).not.toContain("<b>");
  const given = await open("/toys/a", "mia");
  expect([given.statusCode, given.body]).toEqual([200, "the text"]);
  for (const other of ["*/*", "application/json", "image/avif,image/webp,*/*;q=0.8"]) {
    const answer = await server.call("GET", "/toys/gone", { as: "mia", headers: { accept: other } });
    expect([answer.statusCode, body(answer).code]).toEqual([404, "NOT_FOUND"]);
  }
});
