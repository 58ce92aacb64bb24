import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { answerError, BUCKET, type S3Server, startS3Server } from "../../../test/harness/s3-server.ts";
import { ConfigError } from "../../setting-values.ts";
import { StorageAway } from "./file-storage.ts";
import type { S3Timeouts } from "./s3-client.ts";
import type { S3Settings } from "./s3-settings.ts";
import { S3Storage } from "./s3-storage.ts";

let directory: string;
let server: S3Server;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-s3-storage-"));
  server = await startS3Server();
});
afterEach(() => {
  server.intercept = undefined;
  server.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

const MIB = 2 ** 20;
const bytes = Buffer.from("0123456789");
const contentType = "text/plain";

function storageWith(settings: Partial<S3Settings> = {}, timeouts: Partial<S3Timeouts> = {}): S3Storage {
  return new S3Storage({ ...server.settings, ...settings }, join(directory, "temporary"), timeouts);
}

/** What `prepare` says. */
async function problemOf(
  settings: Partial<S3Settings>,
  timeouts?: Partial<S3Timeouts>,
  kind: typeof ConfigError | typeof StorageAway = ConfigError,
): Promise<string> {
  const error = await storageWith(settings, timeouts)
    .prepare()
    .then(() => undefined)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(kind);
  const { message } = error as Error;
  expect(message).not.toContain("wrong-secret-key");
  return message;
}

test("files lie below the prefix, and the trial of a start leaves nothing", async () => {
  await storageWith().prepare();
  expect(server.requests.map((request) => request.split("/")[0]?.trim())).toEqual([
    "PUT",
    "GET",
    "DELETE",
    "HEAD",
  ]);
  server.requests.length = 0;
  await storageWith().put("1/a", { bytes, contentType });
  await storageWith({ prefix: "" }).put("1/b", { bytes, contentType });
  expect(server.requests).toEqual([
    `PUT /${BUCKET}/chat/1/a?x-id=PutObject`,
    `PUT /${BUCKET}/1/b?x-id=PutObject`,
  ]);
});

test("a start says what is wrong with the storage in a sentence that helps", async () => {
  expect(await problemOf({ bucket: "other-files" })).toMatch(
    /^The storage for files, s3:\/\/other-files\/chat at http:\S+, has no bucket 'other-files'\. Create it/,
  );
  const secretAccessKey = "wrong-secret-key";
  expect(await problemOf({ credentials: { accessKeyId: "S3RVER", secretAccessKey } })).toMatch(
    /refuses the key \(SignatureDoesNotMatch\)\. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\.$/,
  );
  expect(await problemOf({ credentials: { accessKeyId: "UNKNOWN", secretAccessKey } })).toContain(
    "refuses the key (InvalidAccessKeyId)",
  );
  expect(await problemOf({ endpoint: "http://127.0.0.1:1" }, undefined, StorageAway)).toMatch(
    /can't be reached \(ECONNREFUSED\)\. Check AWS_ENDPOINT_URL, AWS_REGION and the network\.$/,
  );
  server.intercept = (_request, response) => answerError(response, 301, "PermanentRedirect");
  expect(await problemOf({})).toContain("in another region than 'us-east-1'. Correct AWS_REGION.");
  server.intercept = (_request, response) => answerError(response, 501, "NotImplemented");
  expect(await problemOf({})).toMatch(/can't write files: it answers 501 \(NotImplemented\)\.$/);
});

test("a start names the right that the key lacks", async () => {
  for (const [method, step] of [
    ["PUT", "write"],
    ["GET", "read"],
    ["DELETE", "delete"],
    // Without the right to list, a missing file is forbidden.
    ["HEAD", "look for"],
  ] as const) {
    server.intercept = (request, response) =>
      request.startsWith(method) && answerError(response, 403, "AccessDenied");
    expect(await problemOf({})).toContain(`does not let the key ${step} files. It needs s3:PutObject, `);
  }
});

test("a missing bucket or a refusal is no missing file, and is said in a sentence", async () => {
  const gone = storageWith({ bucket: "other-files" });
  gone.expectMark({ id: "00000000-0000-4000-8000-000000000000" });
  for (const call of ["open", "size", "delete"] as const) {
    const error = await gone[call]("1/a").catch((thrown: unknown) => thrown);
    expect(error, call).toBeInstanceOf(StorageAway);
    expect((error as Error).message).toContain("has no bucket 'other-files'");
  }
  server.intercept = (_request, response) => answerError(response, 403, "AccessDenied");
  const storage = storageWith();
  for (const call of ["open", "size", "delete"] as const)
    await expect(storage[call]("1/a"), call).rejects.toThrow("does not let the key");
  await expect(storage.put("1/a", { bytes, contentType })).rejects.toBeInstanceOf(StorageAway);
});

test("an upload that fails in the middle is aborted, and its local file is gone", async () => {
  const storage = storageWith();
  const path = await storage.temporaryPath();
  await writeFile(path, Buffer.alloc(16 * MIB));
  server.intercept = (request, response) => {
    if (request.includes("partNumber=2")) return answerError(response, 400, "InvalidRequest");
    if (!request.startsWith("DELETE")) return false;
    // The package can't abort uploads.
    response.writeHead(204).end();
    return true;
  };
  await expect(storage.put("2/large", { path, contentType })).rejects.toThrow("InvalidRequest");
  const parts = server.requests.filter((request) => request.includes("partNumber="));
  expect(parts.map((request) => /partNumber=(\d+)/.exec(request)?.[1])).toEqual(["1", "2"]);
  expect(server.requests.at(-1)).toMatch(/^DELETE \/parley-files\/chat\/2\/large\?uploadId=/);
  await expect(stat(path)).rejects.toThrow("ENOENT");
  server.intercept = undefined;
  expect(await storage.open("2/large")).toBeUndefined();
});

test("what fails for a moment is tried again, three times in all", async () => {
  let failures = 2;
  server.intercept = (_request, response) => failures-- > 0 && answerError(response, 503, "SlowDown");
  await storageWith().put("3/a", { bytes, contentType });
  expect(server.requests.length).toBe(3);
  server.requests.length = 0;
  server.intercept = (_request, response) => answerError(response, 503, "SlowDown");
  await expect(storageWith().size("3/a")).rejects.toThrow(StorageAway);
  expect(server.requests.length).toBe(3);
});

test("a storage that does not answer is given up", async () => {
  server.intercept = () => true;
  await expect(storageWith({}, { answerMs: 50 }).size("3/a")).rejects.toThrow(StorageAway);
  expect(await problemOf({}, { answerMs: 50 }, StorageAway)).toContain("can't be reached (ETIMEDOUT)");
});

test("a file that stops in the middle ends its stream with an error, but a slow reader does not", async () => {
  const large = Buffer.alloc(4 * MIB, "x");
  const storage = storageWith({}, { stallMs: 1000 });
  await storage.put("4/large", { bytes: large, contentType });
  const slowly = await storage.open("4/large");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect((await buffer((slowly as { stream: NodeJS.ReadableStream }).stream)).length).toBe(large.length);

  server.intercept = (_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("a");
    return true;
  };
  const stopped = await storage.open("4/large");
  expect(stopped?.size).toBe(100);
  await expect(buffer((stopped as { stream: NodeJS.ReadableStream }).stream)).rejects.toThrow(
    "stopped in the middle",
  );
});

test("a reader that goes away ends the connection, whether it has read or not", async () => {
  const ended: Promise<unknown>[] = [];
  server.intercept = (_request, response) => {
    ended.push(new Promise((resolve) => response.on("close", resolve)));
    response.writeHead(200, { "content-length": 100 * MIB });
    response.write("a");
    return true;
  };
  const storage = storageWith();
  (await storage.open("5/a"))?.stream.destroy();
  const second = (await storage.open("5/a"))?.stream;
  await new Promise((resolve) => second?.once("data", resolve));
  second?.destroy();
  await Promise.all(ended);
  expect(ended.length).toBe(2);
});

test("a look says whether the storage answers, at the cost of one request", async () => {
  expect(await storageWith().check()).toBeUndefined();
  expect(server.requests.map((request) => request.split(" ")[0])).toEqual(["HEAD"]);
  expect(await storageWith({ endpoint: "http://127.0.0.1:1" }).check()).toMatch(
    /can't be reached \(ECONNREFUSED\)/,
  );
});
