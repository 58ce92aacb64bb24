import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LONG_WINDOW_SECONDS } from "../../../test/harness/toy-api.ts";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { DirectoryStorage } from "../file-storage/directory-storage.ts";
import type { HttpOptions } from "./app.ts";
import { publicFile } from "./page-routes.ts";
import { sendPublicFile } from "./send-file.ts";

let directory: string;
let storage: DirectoryStorage;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-sent-"));
  storage = new DirectoryStorage(directory);
  await storage.put("1/notes/a", { bytes: Buffer.from("the text"), contentType: "text/plain" });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const start = (change: Partial<HttpOptions> = {}) =>
  startToyServer({
    pages: [
      publicFile(
        "/files/:name",
        ({ request, reply, params }) =>
          sendPublicFile(request, reply, storage, {
            key: `1/notes/${params.name}`,
            contentType: "text/plain",
            tag: params.name,
          }),
        { limit: "files" },
      ),
      publicFile("/page", ({ reply }) => reply.send("a page")),
    ],
    ...change,
  });

test("a stored file is sent with its length, type and tag", async () => {
  const server = await start();
  const { statusCode, body, headers } = await server.call("GET", "/files/a");
  expect([statusCode, body]).toEqual([200, "the text"]);
  expect(headers).toMatchObject({ "content-type": "text/plain", "content-length": "8", etag: '"a"' });
});

test("a HEAD gets the same headers and no content", async () => {
  const server = await start();
  const { statusCode, body, headers } = await server.call("HEAD", "/files/a");
  expect([statusCode, body, headers["content-length"], headers.etag]).toEqual([200, "", "8", '"a"']);
});

test.each(['"a"', 'W/"a"', '"b", "a"', "*"])(
  "a client that has it already, with %s, gets nothing",
  async (tags) => {
    const server = await start();
    const { statusCode, body } = await server.call("GET", "/files/a", { headers: { "if-none-match": tags } });
    expect([statusCode, body]).toEqual([304, ""]);
  },
);

test("a file that is not there gives a page with 404 that no cache keeps", async () => {
  const server = await start();
  for (const headers of [{}, { "if-none-match": "*" }]) {
    const answer = await server.call("GET", "/files/b", { headers });
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([404, "no-store"]);
    expect(answer.headers["content-type"]).toContain("text/html");
  }
  expect((await server.call("HEAD", "/files/b")).statusCode).toBe(404);
});

test("files have a limit of their own, twenty times that of pages", async () => {
  const server = await start({
    rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 200, perAddress: 2 },
  });
  const statuses = async (path: string, count: number) => {
    const found: number[] = [];
    for (let each = 0; each < count; each++) found.push((await server.call("GET", path)).statusCode);
    return found;
  };
  expect(await statuses("/files/a", 41)).toEqual([...Array(40).fill(200), 429]);
  expect(await statuses("/page", 3)).toEqual([200, 200, 429]);
});
