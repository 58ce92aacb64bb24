import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Access, endpoint, optional } from "../../../api/endpoint.ts";
import { hostileForms } from "../../../test/harness/hostile-forms.ts";
import { BOUNDARY, MULTIPART, multipartBody, type Part, partHead } from "../../../test/harness/multipart.ts";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, type Person, toys } from "../../../test/harness/toy-api.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { DirectoryStorage } from "../file-storage/directory-storage.ts";
import { createHttp, type HttpOptions, listen } from "./app.ts";
import { type Call, routeFor } from "./handler.ts";

const MAX_BYTES = 2 ** 20;

const upload = endpoint({
  name: "uploadToys",
  subject: "Toys",
  summary: "",
  description: "",
  errors: [],
  emits: [],
  method: "POST",
  path: "/uploads",
  access: "user" as Access,
  files: {
    maxCount: 2,
    maxBytes: MAX_BYTES,
    description: "",
    sample: { name: "a.txt", contentType: "text/plain", base64: "" },
  },
  parameters: { title: optional(Type.String(), { description: "" }) },
  reply: { given: Type.Unknown() },
  example: { parameters: {}, reply: { given: null } },
  sample: () => ({}),
});

let directory: string;
let storage: DirectoryStorage;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-received-"));
  storage = new DirectoryStorage(join(directory, "files"));
  await storage.prepare();
});
afterAll(() => rm(directory, { recursive: true, force: true }));
afterEach(async () => expect(await leftFiles()).toEqual([]));

/** What is left on disk, once everything that was about to be deleted is. */
async function leftFiles(): Promise<string[]> {
  const list = () => readdir(join(directory, "files", ".temporary"));
  for (let tries = 0; tries < 500 && (await list()).length > 0; tries++) await pause();
  return list();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

type Handler = (call: Call<{ title?: string }, Viewer>) => Promise<unknown>;

const describeFiles: Handler = async ({ files, params }) => ({
  title: params.title,
  files: await Promise.all(
    files.map(async ({ path, ...file }) => ({ ...file, content: (await readFile(path)).toString() })),
  ),
});

interface Server {
  app: FastifyInstance;
  port: number;
  logged: string[];
  send(body: Buffer | string, more?: { as?: Person | undefined; type?: string }): Promise<Answer>;
}
interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function start(handle: Handler = describeFiles, change: Partial<HttpOptions> = {}): Promise<Server> {
  const route = routeFor<Viewer>();
  const { options, logged } = toys({
    routes: [
      route(upload, async (call) => ({ given: await handle(call as Call<{ title?: string }, Viewer>) })),
    ],
    files: storage,
    ...change,
  });
  const app = await createHttp(options);
  onTestFinished(() => app.close());
  await listen(app, "127.0.0.1", 0);
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    port,
    logged,
    async send(body, { as = "mia", type = MULTIPART } = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/uploads`, {
        method: "POST",
        headers: { "content-type": type, authorization: authorization(as) },
        body: typeof body === "string" ? body : new Uint8Array(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

const file = (content: Buffer | string, more: Partial<Part> = {}): Part => ({
  name: "file",
  fileName: "notes.txt",
  contentType: "text/plain",
  content,
  ...more,
});

/** A client that sends the head of a request and part of its body. */
function beginUpload(port: number, body: string, as: Person = "mia", length = 100_000): RawClient {
  return new RawClient(port).send(
    `POST /api/v1/uploads HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization(as)}\r\n` +
      `Content-Type: ${MULTIPART}\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}

const beginning = `${partHead({ name: "file", fileName: "a.txt" })}the beginning`;

test("a handler gets the fields and the files, which are deleted after the response", async () => {
  const server = await start();
  const parts = [
    { name: "title", content: "Minutes — ü" },
    file("first"),
    file("", { name: "ö", fileName: "Ü 2.txt" }),
  ];
  const { status, body } = await server.send(multipartBody(parts));
  expect(body.given).toEqual({
    title: "Minutes — ü",
    files: [
      { fieldName: "file", fileName: "notes.txt", contentType: "text/plain", size: 5, content: "first" },
      { fieldName: "ö", fileName: "Ü 2.txt", contentType: "text/plain", size: 0, content: "" },
    ],
  });
  expect(status).toBe(200);
});

test("a file that the handler stored stays", async () => {
  const kept = join(directory, "kept");
  const server = await start(async ({ files }) => {
    await rename(files[0]?.path as string, kept);
    return null;
  });
  const content = randomBytes(500_000);
  expect((await server.send(multipartBody([file(content), file("other")]))).status).toBe(200);
  expect((await readFile(kept)).equals(content)).toBe(true);
});

test("the files of a call that fails are deleted", async () => {
  const server = await start(() => Promise.reject(new Error("a fault")));
  expect((await server.send(multipartBody([file("text")]))).status).toBe(500);
});

test("a call without files, or with another kind of body, has none", async () => {
  const server = await start();
  const none = { title: "Minutes", files: [] };
  expect((await server.send(multipartBody([{ name: "title", content: "Minutes" }]))).body.given).toEqual(
    none,
  );
  const form = { type: "application/x-www-form-urlencoded" };
  expect((await server.send("title=Minutes", form)).body.given).toEqual(none);
  const empty = file("", { fileName: "", contentType: "application/octet-stream" });
  expect((await server.send(multipartBody([empty]))).body.given).toEqual({ files: [] });
  expect((await server.send(`--${BOUNDARY}--\r\n`)).body.given).toEqual({ files: [] });
});

test("a file as large as the limit is received, and one byte more is refused", async () => {
  const server = await start(async ({ files }) => files[0]?.size);
  const parts = (size: number) => multipartBody([file(Buffer.alloc(size, "x"))]);
  expect((await server.send(parts(MAX_BYTES))).body.given).toBe(MAX_BYTES);
  const { status, body } = await server.send(parts(MAX_BYTES + 1));
  expect(status).toBe(413);
  expect(body).toMatchObject({
    code: "BAD_REQUEST",
    msg: "Uploaded file is larger than the allowed limit of 1 MiB",
  });
});

test("a body that says that it is longer than all files may be is refused by its head", async () => {
  const server = await start();
  const client = beginUpload(server.port, "", "mia", 2 ** 30);
  await client.until(() => client.received !== "");
  expect(client.status).toBe(413);
  client.socket.destroy();
});

test("a file that never ends is refused, whatever its length is said to be", async () => {
  const server = await start();
  const client = new RawClient(server.port);
  client.send(
    `POST /api/v1/uploads HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n` +
      `Content-Type: ${MULTIPART}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  client.send(chunk(partHead({ name: "file", fileName: "a" })));
  for (let sent = 0; sent <= MAX_BYTES; sent += 2 ** 16) client.send(chunk("x".repeat(2 ** 16)));
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(413);
  client.socket.destroy();
});

test("more files than the call takes are refused", async () => {
  const server = await start();
  const { status, body } = await server.send(multipartBody([file("1"), file("2"), file("3")]));
  expect([status, body.msg]).toEqual([400, "The request has more files than the allowed 2."]);
});

test("a body that was torn anywhere is refused", async () => {
  const server = await start();
  const whole = multipartBody([{ name: "title", content: "Minutes" }, file("text of the file")]);
  for (let length = 1; length < whole.length - 3; length += 7) {
    const { status, body } = await server.send(whole.subarray(0, length));
    expect([status, body.msg], `${length} bytes`).toEqual([400, "The request's body could not be read."]);
  }
});

test.each([
  ["nothing like a form", "x".repeat(500), MULTIPART],
  ["no boundary", "x", "multipart/form-data"],
  ["another boundary", multipartBody([file("text")]), "multipart/form-data; boundary=other"],
  [
    "a file without a field",
    `--${BOUNDARY}\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx`,
    MULTIPART,
  ],
  ["very many fields", multipartBody(Array(1001).fill({ name: "a", content: "" })), MULTIPART],
  ["very many parts", multipartBody(Array(2001).fill(file("", { fileName: "" }))), MULTIPART],
])("%s is refused", async (_, content, type) => {
  const server = await start();
  expect((await server.send(content, { type })).status).toBe(400);
});

test.each([
  ["one long text", [{ name: "title", content: "x".repeat(65 * 1024) }]],
  ["many short texts", Array(70).fill({ name: "title", content: "x".repeat(1000) })],
])("%s beside a file is refused", async (_, texts) => {
  const server = await start();
  expect((await server.send(multipartBody([file("text"), ...texts]))).status).toBe(413);
});

test.each(hostileForms)("a form takes time in proportion to its length: %s", async (_, form) => {
  const server = await start();
  const { user } = process.cpuUsage();
  await server.send(form, { type: "multipart/form-data; boundary=X" });
  expect((process.cpuUsage().user - user) / 1000).toBeLessThan(1500);
});

test("a refused form leaves the connection in use if little of it is left", async () => {
  const server = await start();
  const body = multipartBody([file("1"), file("2"), file("3")]).toString();
  const client = beginUpload(server.port, body, "mia", body.length);
  await client.until(() => client.received !== "");
  client.received = "";
  const next = multipartBody([file("text")]).toString();
  client.send(
    `POST /api/v1/uploads HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n` +
      `Content-Type: ${MULTIPART}\r\nContent-Length: ${next.length}\r\n\r\n${next}`,
  );
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(200);
  client.socket.destroy();
});

test("a client that leaves while its file arrives leaves no file", async () => {
  const server = await start();
  const client = beginUpload(server.port, beginning);
  const list = () => readdir(join(directory, "files", ".temporary"));
  while ((await list()).length === 0) await pause();
  client.socket.destroy();
  expect(await leftFiles()).toEqual([]);
});

test("a client that sends too slowly is refused", async () => {
  const server = await start(undefined, { bodyLimits: { periodMs: 100 } });
  const client = await beginUpload(server.port, beginning).closed();
  expect(client.status).toBe(408);
});

test("callers without an account, or without the role, reach neither the parser nor the disk", async () => {
  let opened = 0;
  const counting = { temporaryPath: () => storage.temporaryPath().finally(() => opened++) };
  const server = await start(undefined, { files: counting });
  const url = `http://127.0.0.1:${server.port}/api/v1/uploads`;
  const body = new Uint8Array(multipartBody([file("text")]));
  const stranger = await fetch(url, { method: "POST", headers: { "content-type": MULTIPART }, body });
  expect([stranger.status, opened]).toEqual([401, 0]);
  expect((await server.send(multipartBody([file("text")]))).status).toBe(200);
  expect(opened).toBe(1);
});

test("no endpoint takes files from callers without an account, or without a place for them", async () => {
  const open = { endpoint: { ...upload, access: "anyone" as const }, handle: () => ({}) };
  await expect(start(undefined, { routes: [open] })).rejects.toThrow("without an account");
  const { options } = toys({ routes: [{ ...open, endpoint: upload }] });
  await expect(createHttp(options)).rejects.toThrow("no storage");
});

test("a person can send a few forms with files at a time, and so can a network", async () => {
  const receivingLimits = { total: 10, perPerson: 2, perNetwork: 3 };
  const server = await start(undefined, { receivingLimits });
  const list = () => readdir(join(directory, "files", ".temporary"));
  const begin = async (as: Person) => {
    const before = (await list()).length;
    const client = beginUpload(server.port, beginning, as);
    await Promise.race([client.until(() => client.received !== ""), growth(before)]);
    return client;
  };
  const growth = async (before: number) => {
    while ((await list()).length === before) await pause();
  };
  const first = await begin("mia");
  await begin("mia");
  expect((await begin("mia")).status).toBe(429);
  await begin("gil");
  expect((await begin("abel")).status).toBe(429);
  first.socket.destroy();
  while ((await list()).length === 3) await pause();
  const again = await begin("mia");
  expect(again.received).toBe("");
  server.app.server.closeAllConnections();
});

test("a place is free again when the response is sent", async () => {
  const server = await start(undefined, { receivingLimits: { total: 1, perPerson: 1, perNetwork: 1 } });
  for (let count = 0; count < 5; count++) {
    expect((await server.send(multipartBody([file("text")]))).status).toBe(200);
    expect((await server.send("torn")).status).toBe(400);
    await leftFiles();
  }
});

test("a file that the disk does not take is a fault of the server", async () => {
  const path = join(directory, "missing", "file");
  const server = await start(undefined, { files: { temporaryPath: async () => path } });
  expect((await server.send(multipartBody([file("x".repeat(200_000))]))).status).toBe(500);
  expect(server.logged.join("")).toContain("ENOENT");
});
