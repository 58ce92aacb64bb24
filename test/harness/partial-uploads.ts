/** Uploads in several requests: by the client library of programs, and by hand. */
import { readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Upload, type UploadOptions } from "tus-js-client";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { cleanUpUploads } from "../../server/content/uploads/clean-up.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "./answers.ts";
import { type CastName, createHarness, type Harness, HOST, OTHER_HOST } from "./harness.ts";
import { RawClient } from "./raw-client.ts";
import { authorizationOf } from "./uploads.ts";

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Sent {
  as?: CastName | undefined;
  headers?: Record<string, string>;
  body?: Buffer | string;
  port?: number;
}

/** Starts the server before the tests of a file, and ends it after. Each test begins without uploads. */
export function usePartialUploads() {
  let harness: Harness;
  let port: number;
  beforeAll(async () => {
    harness = await createHarness({ PARLEY_RATE_LIMITS: "off", PARLEY_MAX_UPLOAD_MIB: "2" });
    await harness.app.listen({ host: "127.0.0.1", port: 0 });
    port = (harness.app.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await harness.close();
    // A part of the client library listens for signals as long as the process lives.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
  });
  beforeEach(async () => {
    await harness.services.database.query(sql`delete from partial_uploads`);
    await rm(partialDir(), { recursive: true, force: true });
  });

  const partialDir = () => join(harness.services.config.files as string, ".temporary", "partial");
  const partialFiles = () => readdir(partialDir()).catch(() => []);
  const pathOf = (url: string) => join(partialDir(), url.slice(url.lastIndexOf("/") + 1));

  function ask(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { as = "dev", body = "", headers = {} } = sent;
    return new Promise((resolve, reject) => {
      const whole = {
        host: as === "zed" ? OTHER_HOST : HOST,
        authorization: authorizationOf(harness, as),
        "tus-resumable": "1.0.0",
        "content-length": String(Buffer.byteLength(body)),
        ...headers,
      };
      const open = request(
        { port: sent.port ?? port, path, method, headers: whole, agent: false },
        (response) => {
          const pieces: Buffer[] = [];
          response.on("data", (piece: Buffer) => pieces.push(piece));
          response.on("end", () => {
            const text = Buffer.concat(pieces).toString();
            resolve({ status: response.statusCode as number, headers: response.headers, body: text });
          });
        },
      );
      open.on("error", reject).end(body);
    });
  }

  const metadata = (name: string) => `filename ${Buffer.from(name).toString("base64")}`;

  async function create(length: number, { name = "soup.txt", as }: { name?: string; as?: CastName } = {}) {
    const headers = { "upload-length": String(length), "upload-metadata": metadata(name) };
    const { status, headers: answered } = await ask("POST", "/api/v1/tus", { as, headers });
    expect(status).toBe(201);
    return String(answered.location);
  }

  const append = (url: string, offset: number, body: Buffer | string, more: Sent = {}) =>
    ask("PATCH", url, {
      ...more,
      body,
      headers: {
        "upload-offset": String(offset),
        "content-type": "application/offset+octet-stream",
        ...more.headers,
      },
    });

  const offsetOf = async (url: string) => Number((await ask("HEAD", url)).headers["upload-offset"]);

  /** Runs the client library to its end. Returns the body of the last response. */
  function send(file: Buffer, options: UploadOptions, begun?: (upload: Upload) => void) {
    return new Promise<{ url: string; filename: string }>((resolve, reject) => {
      const upload = new Upload(file, {
        endpoint: `http://127.0.0.1:${port}/api/v1/tus/`,
        retryDelays: [50, 50, 50],
        ...options,
        headers: { Host: HOST, Authorization: authorizationOf(harness, "dev"), ...options.headers },
        onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody())),
        onError: reject,
      });
      begun?.(upload);
      upload.start();
    });
  }

  const attachments = async (name: CastName = "dev") =>
    (await expectSuccess(harness.as(name).get("/attachments"))).attachments;

  /** The head of a request by hand, whose body can be sent in pieces. */
  const headOf = (url: string, as: CastName, length: number, offset = 0) =>
    `PATCH ${url} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: ${authorizationOf(harness, as)}\r\n` +
    `Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n` +
    `Upload-Offset: ${offset}\r\nContent-Length: ${length}\r\n\r\n`;

  /** What a client sends that is cut off in the midst of a request. */
  async function cutOff(url: string, offset: number, length: number, body: string): Promise<void> {
    const client = new RawClient(port).send(headOf(url, "dev", length, offset) + body);
    await expect.poll(() => readFile(pathOf(url))).toHaveLength(offset + body.length);
    client.socket.destroy();
    await expect.poll(writers).toEqual([]);
  }

  const writers = () =>
    harness.services.database.query(sql`select from partial_uploads where writer is not null`);

  const age = (hours: number) =>
    harness.services.database.query(
      sql`update partial_uploads set created_at = created_at - make_interval(hours => ${hours})`,
    );

  const cleanUp = () =>
    cleanUpUploads.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date() });

  return {
    ...{
      partialDir,
      partialFiles,
      pathOf,
      ask,
      metadata,
      create,
      append,
      offsetOf,
      send,
      attachments,
      headOf,
      cutOff,
      writers,
      age,
      cleanUp,
    },
    get harness() {
      return harness;
    },
    get port() {
      return port;
    },
  };
}
