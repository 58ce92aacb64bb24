/** What a large file costs a server: buffers, not its length. And what pictures cost one that has none. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { endpoint } from "../../api/endpoint.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { DirectoryStorage } from "../../server/platform/file-storage/directory-storage.ts";
import { createHttp, type HttpOptions, listen } from "../../server/platform/http/app.ts";
import { routeFor } from "../../server/platform/http/handler.ts";
import type { ResumableUploads } from "../../server/platform/http/tus.ts";
import { build } from "../e2e/parley.ts";
import { MULTIPART, multipartBody } from "../harness/multipart.ts";
import { authorization, toys } from "../harness/toy-api.ts";

const MIB = 2 ** 20;
const FILE_MIB = 200;
const MAX_GROWTH_MIB = 32;

const upload = endpoint({
  name: "uploadToy",
  subject: "Toys",
  summary: "",
  description: "",
  errors: [],
  emits: [],
  method: "POST",
  path: "/uploads",
  access: "user",
  files: {
    maxCount: 1,
    maxBytes: FILE_MIB * MIB,
    description: "",
    sample: { name: "a.txt", contentType: "text/plain", base64: "" },
  },
  parameters: {},
  reply: { size: Type.Integer() },
  example: { parameters: {}, reply: { size: 0 } },
  sample: () => ({}),
});

/** A client in a process of its own, so that its buffers are not counted. */
const client = `
const { request } = require("node:http");
const [port, mib, type, authorization, body] = process.argv.slice(1);
const [head, tail] = body.split("CONTENT");
const block = Buffer.alloc(65536, "x");
const length = Buffer.byteLength(head) + Number(mib) * 2 ** 20 + Buffer.byteLength(tail);
const headers = { "content-type": type, "content-length": length, authorization };
const call = request({ port, method: "POST", path: "/api/v1/uploads", headers }, (response) => {
  response.setEncoding("utf8").on("data", (text) => process.stdout.write(text));
});
call.write(head);
let left = Number(mib) * 16;
function send() {
  while (left-- > 0) if (!call.write(block)) return call.once("drain", send);
  call.end(tail);
}
send();
`;

/** Sends a file of zeros to an upload that was begun, in one request. */
const resumableClient = `
const { request } = require("node:http");
const [port, mib, authorization, path] = process.argv.slice(1);
const headers = { "tus-resumable": "1.0.0", "upload-offset": 0, authorization };
Object.assign(headers, { "content-type": "application/offset+octet-stream", "content-length": mib * 2 ** 20 });
const call = request({ port, method: "PATCH", path, headers }, (response) => {
  response.setEncoding("utf8").on("data", (text) => process.stdout.write(text));
});
const block = Buffer.alloc(65536);
let left = Number(mib) * 16;
function send() {
  while (left-- > 0) if (!call.write(block)) return call.once("drain", send);
  call.end();
}
send();
`;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let directory: string;
beforeAll(build);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-memory-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function run(script: string, ...words: string[]): Promise<string> {
  const child = spawn(process.execPath, ["-e", script, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  await once(child, "close");
  return text;
}

async function send(port: number, mib: number): Promise<number> {
  const body = multipartBody([{ name: "file", fileName: "large", content: "CONTENT" }]).toString();
  return JSON.parse(await run(client, `${port}`, `${mib}`, MULTIPART, authorization("mia"), body)).size;
}

async function start(options: HttpOptions): Promise<number> {
  const app = await createHttp(options);
  onTestFinished(() => app.close());
  await listen(app, "127.0.0.1", 0);
  return (app.server.address() as AddressInfo).port;
}

/** A full collection of a worker that has run many files takes some hundred milliseconds. */
const LOOK_MS = 100;
const SHARE_OF_LOOKS = 0.1;

/**
 * By how many MiB what this process holds grows meanwhile, at the most. Garbage is collected before each
 * look, since how much of it lies about depends on what ran before in this process.
 */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = heldBytes();
  let peak = before;
  let timer: NodeJS.Timeout;
  const look = () => {
    const startedAt = performance.now();
    peak = Math.max(peak, heldBytes());
    timer = setTimeout(look, Math.max(LOOK_MS, (performance.now() - startedAt) / SHARE_OF_LOOKS));
  };
  timer = setTimeout(look, LOOK_MS);
  await work();
  clearTimeout(timer);
  const growth = (peak - before) / MIB;
  console.log(`memory grew by ${growth.toFixed(1)} MiB`);
  return growth;
}

function heldBytes(): number {
  collectGarbage();
  // The first collection leaves buffers to another thread, which the second one waits for.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("a file of 200 MB costs a server at most 32 MB of memory", async () => {
  const route = routeFor<Viewer>();
  const storage = new DirectoryStorage(join(directory, "files"));
  const { options } = toys({
    routes: [route(upload, ({ files }) => ({ size: files[0]?.size ?? 0 }))],
    files: storage,
  });
  const port = await start(options);
  expect(await send(port, 20)).toBe(20 * MIB);
  const growth = await growthDuring(async () => expect(await send(port, FILE_MIB)).toBe(FILE_MIB * MIB));
  expect(growth).toBeLessThan(MAX_GROWTH_MIB);
});

test("so does a file of 200 MB that arrives in a resumable upload", async () => {
  const path = join(directory, "partial");
  const progress = { id: "a", fileName: "large", expiresAt: new Date() };
  const resumableUploads: ResumableUploads = {
    maxBytes: FILE_MIB * MIB,
    create: () => Promise.reject(new Error("not in this test")),
    find: () => Promise.reject(new Error("not in this test")),
    remove: () => Promise.reject(new Error("not in this test")),
    async append(_viewer, _id, position, body) {
      const file = await open(path, "w");
      const { signal } = new AbortController();
      const size = await body.writeTo({ file, position, maxBytes: FILE_MIB * MIB, signal });
      await file.close();
      return { ...progress, length: size, offset: size, outcome: { size } };
    },
  };
  const port = await start(toys({ resumableUploads }).options);
  const sendRest = async (mib: number) => {
    const words = [`${port}`, `${mib}`, authorization("mia"), "/api/v1/tus/a"];
    expect(JSON.parse(await run(resumableClient, ...words)).size).toBe(mib * MIB);
    expect((await stat(path)).size).toBe(mib * MIB);
  };
  await sendRest(20);
  expect(await growthDuring(() => sendRest(FILE_MIB))).toBeLessThan(MAX_GROWTH_MIB);
});

test("the library of pictures is loaded with the first picture", () => {
  const modules = `${fileURLToPath(new URL("../..", import.meta.url))}dist/server`;
  const script = `
    const { readFileSync, writeFileSync } = await import("node:fs");
    const isLoaded = () => readFileSync("/proc/self/maps", "utf8").includes("libvips");
    await import("${modules}/app.js");
    const { makeThumbnail } = await import("${modules}/platform/images/images.js");
    const { encodePixels } = await import("${modules}/platform/images/png.js");
    const before = isLoaded();
    writeFileSync(process.argv[1], encodePixels(20, 20, () => 0x336699));
    await makeThumbnail(process.argv[1], { width: 8, height: 8, fit: "cover", isAnimated: true, holder: "" });
    console.log(JSON.stringify([before, isLoaded()]));
    process.exit();`;
  const words = ["--input-type=module", "-e", script, join(directory, "picture")];
  expect(JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" }))).toEqual([false, true]);
});
