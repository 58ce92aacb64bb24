// Uploads in several requests, with the client library that programs use for them.
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, truncate } from "node:fs/promises";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Upload, type UploadOptions } from "tus-js-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_PARTIAL_UPLOADS } from "../../../../api/limits.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { eventNames, followAll } from "../../../../test/harness/follow.ts";
import {
  type CastName,
  createHarness,
  type Harness,
  HOST,
  OTHER_HOST,
} from "../../../../test/harness/harness.ts";
import { RawClient } from "../../../../test/harness/raw-client.ts";
import { authorizationOf, load } from "../../../../test/harness/uploads.ts";
import { createServer } from "../../../app.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cleanUpUploads } from "../clean-up.ts";

const MIB = 2 ** 20;

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
  await vi.waitFor(async () => expect((await readFile(pathOf(url))).length).toBe(offset + body.length));
  client.socket.destroy();
  await vi.waitFor(async () => expect(await writers()).toEqual([]));
}

const writers = () =>
  harness.services.database.query(sql`select from partial_uploads where writer is not null`);

const age = (hours: number) =>
  harness.services.database.query(
    sql`update partial_uploads set created_at = created_at - make_interval(hours => ${hours})`,
  );

const cleanUp = () =>
  cleanUpUploads.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date() });

describe("the client library", () => {
  test.each([
    ["in one request", Number.POSITIVE_INFINITY],
    ["in several requests", 300_000],
  ])("sends a file %s, and its owner gets what a plain upload gives", async (_, chunkSize) => {
    const content = randomBytes(MIB);
    const followed = await followAll(harness, ["dev", "elin"], async () => {
      const { url, filename } = await send(content, { chunkSize, metadata: { filename: "menu.bin" } });
      expect(filename).toBe("menu.bin");
      expect(url).toMatch(/^\/user_uploads\/\d+\/.*\/menu\.bin$/);
      expect((await load(harness, "dev", url)).rawPayload.equals(content)).toBe(true);
      expect((await load(harness, "elin", url)).statusCode).toBe(403);
    });
    expect(eventNames(followed.dev)).toEqual(["attachment/add"]);
    expect(eventNames(followed.elin)).toEqual([]);
    expect((await attachments())[0]).toMatchObject({ name: "menu.bin", size: MIB });
    expect(await partialFiles()).toEqual([]);
  });

  test("goes on after it was stopped, also with another process of the server", async () => {
    const content = randomBytes(MIB);
    const options = { chunkSize: 200_000, metadata: { filename: "menu.bin" } };
    const before = (await attachments()).length;
    const uploadUrl = await new Promise<string>((resolve, reject) => {
      const upload: Upload = new Upload(content, {
        ...options,
        endpoint: `http://127.0.0.1:${port}/api/v1/tus`,
        headers: { Host: HOST, Authorization: authorizationOf(harness, "dev") },
        onChunkComplete: (_size, accepted) => {
          if (accepted === 400_000) upload.abort().then(() => resolve(String(upload.url)), reject);
        },
        onError: reject,
      });
      upload.start();
    });
    const restarted = await createServer(harness.services);
    await restarted.listen({ host: "127.0.0.1", port: 0 });
    const other = (restarted.server.address() as AddressInfo).port;
    const from: number[] = [];
    const { url } = await send(content, {
      ...options,
      uploadUrl: uploadUrl.replace(String(port), String(other)),
      onProgress: (sent) => from.push(sent),
    });
    await restarted.close();
    expect(from[0]).toBeGreaterThanOrEqual(400_000);
    expect((await load(harness, "dev", url)).rawPayload.equals(content)).toBe(true);
    expect((await attachments()).length).toBe(before + 1);
  });

  test("sends an empty file", async () => {
    const before = (await attachments()).length;
    const { url } = await send(Buffer.alloc(0), { metadata: { filename: "empty.txt" } });
    expect((await load(harness, "dev", url)).body).toBe("");
    expect((await attachments()).length).toBe(before + 1);
  });

  test("removes what it gives up", async () => {
    await new Promise<void>((resolve, reject) => {
      const upload: Upload = new Upload(randomBytes(MIB), {
        chunkSize: 200_000,
        endpoint: `http://127.0.0.1:${port}/api/v1/tus`,
        headers: { Host: HOST, Authorization: authorizationOf(harness, "dev") },
        onChunkComplete: () => upload.abort(true).then(resolve, reject),
        onError: reject,
      });
      upload.start();
    });
    await vi.waitFor(async () => expect(await partialFiles()).toEqual([]));
    expect(await harness.services.database.query(sql`select from partial_uploads`)).toEqual([]);
  });

  test("learns that the file is too large before it sends any of it", async () => {
    await expect(send(Buffer.alloc(2 * MIB + 1), {})).rejects.toThrow(
      "larger than the allowed limit of 2 MiB",
    );
    expect(await partialFiles()).toEqual([]);
  });
});

test("what arrived before a client was cut off stays, and the rest follows", async () => {
  const url = await create(20);
  await cutOff(url, 0, 20, "The soup ");
  expect(await offsetOf(url)).toBe(9);
  const { status, headers, body } = await append(url, 9, "of the day.");
  expect([status, headers["upload-offset"]]).toEqual([200, "20"]);
  expect((await load(harness, "dev", JSON.parse(body).url)).body).toBe("The soup of the day.");
});

test("the last request can come again, and gives the same response and no second file", async () => {
  const url = await create(4);
  const before = (await attachments()).length;
  const first = await append(url, 0, "soup");
  expect([first.status, JSON.parse(first.body)]).toEqual([
    200,
    { result: "success", msg: "", url: expect.any(String), uri: expect.any(String), filename: "soup.txt" },
  ]);
  expect(await offsetOf(url)).toBe(4);
  const again = await append(url, 4, "");
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await append(url, 0, "soup")).status).toBe(409);
  expect((await ask("DELETE", url)).status).toBe(404);
  expect((await attachments()).length).toBe(before + 1);
});

test("a file whose last step failed is finished by sending its last byte again", async () => {
  const { database } = harness.services;
  const url = await create(4);
  await database.query(sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''a fault''; end'`);
  await database.query(sql`create trigger refuse before insert on uploads execute function refuse()`);
  expect((await append(url, 0, "soup")).status).toBe(500);
  await database.query(sql`drop function refuse cascade`);
  expect(await offsetOf(url)).toBe(3);
  const { status, body } = await append(url, 3, "p");
  expect(status).toBe(200);
  expect((await load(harness, "dev", JSON.parse(body).url)).body).toBe("soup");
});

test("requests that begin where the file does not end are refused", async () => {
  const url = await create(10);
  expect((await append(url, 1, "soup")).status).toBe(409);
  expect((await append(url, 0, "soup")).headers["upload-offset"]).toBe("4");
  expect((await append(url, 0, "soup")).status).toBe(409);
  expect((await append(url, 5, "soup")).status).toBe(409);
  expect(await offsetOf(url)).toBe(4);
});

test("a request with more than is missing is refused, whether or not it says its length", async () => {
  const url = await create(10);
  expect((await append(url, 0, "eleven byte")).status).toBe(413);
  const client = new RawClient(port).send(
    `PATCH ${url} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: ${authorizationOf(harness, "dev")}\r\n` +
      `Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n` +
      `Transfer-Encoding: chunked\r\n\r\nb\r\neleven byte\r\n0\r\n\r\n`,
  );
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(413);
  client.socket.destroy();
  expect(await offsetOf(url)).toBe(0);
});

test("one request at a time sends a file, and a dead one blocks others for half a minute", async () => {
  const url = await create(10);
  const { database } = harness.services;
  await database.query(
    sql`update partial_uploads set writer = 'another', writer_until = clock_timestamp() + interval '1 minute'`,
  );
  expect((await append(url, 0, "soup")).status).toBe(423);
  expect(await offsetOf(url)).toBe(0);
  await database.query(
    sql`update partial_uploads set writer_until = clock_timestamp() - interval '1 second'`,
  );
  expect((await append(url, 0, "soup")).status).toBe(204);
});

test("of two requests at the same time one sends the file", async () => {
  const url = await create(4);
  const before = (await attachments()).length;
  const answers = await Promise.all([append(url, 0, "soup"), append(url, 0, "soup")]);
  const [first, second] = answers.map(({ status }) => status).sort();
  expect(first).toBe(200);
  expect([409, 423]).toContain(second);
  expect((await attachments()).length).toBe(before + 1);
});

test("an upload that its owner removes meanwhile does not come back", async () => {
  const url = await create(100_000);
  const client = new RawClient(port).send(`${headOf(url, "dev", 100_000)}the beginning`);
  await vi.waitFor(async () => expect((await readFile(pathOf(url))).length).toBe(13));
  expect((await ask("DELETE", url)).status).toBe(204);
  const before = (await attachments()).length;
  client.send("x".repeat(100_000 - 13));
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(404);
  client.socket.destroy();
  expect((await attachments()).length).toBe(before);
  expect(await partialFiles()).toEqual([]);
});

describe("an upload is its owner's alone", () => {
  test.each(["elin", "ada", "zed"] as const)("%s can't see, send or remove it", async (as) => {
    const url = await create(10);
    await append(url, 0, "soup");
    expect((await ask("HEAD", url, { as })).status).toBe(404);
    expect((await append(url, 4, "poison", { as })).status).toBe(404);
    expect((await ask("DELETE", url, { as })).status).toBe(404);
    expect(await offsetOf(url)).toBe(4);
  });

  test("nobody without an account reaches it", async () => {
    const headers = { authorization: "Basic bm9ib2R5OnNvdXA=" };
    const url = await create(10);
    expect((await ask("HEAD", url, { headers })).status).toBe(401);
    expect((await append(url, 0, "soup", { headers })).status).toBe(401);
    expect((await ask("POST", "/api/v1/tus", { headers: { ...headers, "upload-length": "4" } })).status).toBe(
      401,
    );
  });

  test.each(["gus", "echo"] as const)("%s can have one too", async (as) => {
    const { body } = await append(await create(4, { as }), 0, "soup", { as });
    expect((await load(harness, as, JSON.parse(body).url)).body).toBe("soup");
  });

  test("a person who is deactivated while the last bytes arrive gets no file", async () => {
    const url = await create(100_000, { as: "elin" });
    const client = new RawClient(port).send(headOf(url, "elin", 100_000));
    client.send("the beginning");
    await vi.waitFor(async () => expect((await readFile(pathOf(url))).length).toBe(13));
    await expectSuccess(harness.as("ada").delete(`/users/${harness.user("elin").id}`));
    client.send("x".repeat(100_000 - 13));
    await client.until(() => client.received !== "" || client.isClosed);
    expect(client.status).toBe(401);
    client.socket.destroy();
    await expectSuccess(harness.as("ada").post(`/users/${harness.user("elin").id}/reactivate`));
    expect(await attachments("elin")).toEqual([]);
  });

  test("its owner's deactivation ends it", async () => {
    const url = await create(10, { as: "elin" });
    await append(url, 0, "soup", { as: "elin" });
    await expectSuccess(harness.as("ada").delete(`/users/${harness.user("elin").id}`));
    expect((await append(url, 4, "poison", { as: "elin" })).status).toBe(401);
    await expectSuccess(harness.as("ada").post(`/users/${harness.user("elin").id}/reactivate`));
  });

  test.each(["..", "%2e%2e", "..%2f..%2fsecret", "a".repeat(32), `${"a".repeat(31)}%00`])(
    "the name %s leads nowhere",
    async (id) => {
      expect((await ask("HEAD", `/api/v1/tus/${id}`)).status).toBe(404);
      expect([404, 405]).toContain((await append(`/api/v1/tus/${id}`, 0, "soup")).status);
    },
  );
});

test("what is not finished in a day is gone, and the job deletes the file", async () => {
  const url = await create(10);
  await append(url, 0, "soup");
  await age(23);
  await cleanUp();
  expect(await offsetOf(url)).toBe(4);
  await age(2);
  expect((await append(url, 4, "soup")).status).toBe(404);
  expect(await partialFiles()).toHaveLength(1);
  await cleanUp();
  expect(await partialFiles()).toEqual([]);
  expect(await harness.services.database.query(sql`select from partial_uploads`)).toEqual([]);
});

test("a file that is lost ends its upload, so that the client begins again", async () => {
  const url = await create(10);
  await rm(pathOf(url));
  expect((await ask("HEAD", url)).status).toBe(404);
  expect((await append(url, 0, "soup")).status).toBe(404);
});

test("a file that is shorter after a power cut is continued where it ends", async () => {
  const url = await create(10);
  await append(url, 0, "soup");
  await truncate(pathOf(url), 2);
  expect(await offsetOf(url)).toBe(2);
  expect((await append(url, 4, "s")).status).toBe(409);
  expect((await append(url, 2, "up today")).status).toBe(200);
});

test("a person can have a few unfinished uploads, and finished ones do not count", async () => {
  const urls = [];
  for (let count = 0; count < MAX_PARTIAL_UPLOADS; count++) urls.push(await create(4));
  const refused = () => ask("POST", "/api/v1/tus", { headers: { "upload-length": "4" } });
  expect((await refused()).status).toBe(400);
  await create(4, { as: "ada" });
  await append(urls[0] as string, 0, "soup");
  expect((await refused()).status).toBe(201);
});

test("the organization's quota counts at the beginning and at the end", async () => {
  const { upload_space_used: used } = await expectSuccess(harness.as("dev").get("/attachments"));
  const quota = Math.ceil(used / MIB) + 1;
  const { database } = harness.services;
  const late = await create(MIB);
  const { organizationId } = harness.state;
  await expectSuccess(harness.as("ada").patch("/realm", { upload_quota_mib: quota }));
  const refused = await ask("POST", "/api/v1/tus", { headers: { "upload-length": String(2 * MIB) } });
  expect(JSON.parse(refused.body).code).toBe("REALM_UPLOAD_QUOTA");
  await database.query(
    sql`update upload_space set used = used + ${MIB} where organization_id = ${organizationId}`,
  );
  const atTheEnd = await append(late, 0, Buffer.alloc(MIB));
  expect(JSON.parse(atTheEnd.body).code).toBe("REALM_UPLOAD_QUOTA");
  await database.query(
    sql`update upload_space set used = used - ${MIB} where organization_id = ${organizationId}`,
  );
  expect((await append(late, MIB - 1, Buffer.alloc(1))).status).toBe(200);
  await expectSuccess(harness.as("ada").patch("/realm", { upload_quota_mib: "unlimited" }));
});

describe("the headers", () => {
  test.each([
    ["no length", {}, 400],
    ["a length that is told later", { "upload-defer-length": "1" }, 400],
    ["a negative length", { "upload-length": "-1" }, 400],
    ["a length that is no number", { "upload-length": "1e3" }, 400],
    ["two lengths", { "upload-length": "4, 5" }, 400],
    ["a length past all limits", { "upload-length": "9".repeat(15) }, 413],
    ["metadata that is no base64", { "upload-length": "4", "upload-metadata": "filename so%p" }, 400],
    ["metadata of three words", { "upload-length": "4", "upload-metadata": "filename c291 cA==" }, 400],
    ["very long metadata", { "upload-length": "4", "upload-metadata": `filename ${"a".repeat(9000)}` }, 400],
    ["another version", { "upload-length": "4", "tus-resumable": "0.2.2" }, 412],
  ])("%s is refused", async (_, headers, status) => {
    const answer = await ask("POST", "/api/v1/tus", { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers["tus-resumable"]).toBe("1.0.0");
    expect(JSON.parse(answer.body).result).toBe("error");
    expect(await partialFiles()).toEqual([]);
  });

  test("a type that is not the protocol's is refused", async () => {
    const url = await create(4);
    const headers = { "content-type": "application/json" };
    expect((await append(url, 0, "soup", { headers })).status).toBe(415);
  });

  test("another method in a header counts nothing", async () => {
    const url = await create(4);
    const headers = { "x-http-method-override": "DELETE" };
    expect((await ask("POST", url, { headers })).status).toBe(405);
    expect(await offsetOf(url)).toBe(0);
  });

  test("they say what the server can, and how far an upload is", async () => {
    const described = await ask("OPTIONS", "/api/v1/tus");
    expect([described.status, described.headers]).toMatchObject([
      204,
      {
        "tus-resumable": "1.0.0",
        "tus-version": "1.0.0",
        "tus-extension": "creation,termination,expiration",
        "tus-max-size": String(2 * MIB),
      },
    ]);
    const { headers } = await ask("HEAD", await create(4, { name: "Suppe für alle.txt" }));
    expect(headers).toMatchObject({
      "upload-offset": "0",
      "upload-length": "4",
      "upload-metadata": metadata("Suppe für alle.txt"),
      "cache-control": "no-store",
    });
    const left = Date.parse(String(headers["upload-expires"])) - Date.now();
    expect(Math.round(left / 3600 / 1000)).toBe(24);
  });

  test.each([
    ["../../evil.txt", "evil.txt"],
    ["a\u202Etxt.exe", "atxt.exe"],
    ["a\r\nb.txt", "ab.txt"],
    [`${"x".repeat(1000)}.txt`, `${"x".repeat(196)}.txt`],
    ["", "uploaded-file"],
    ["\0", "uploaded-file"],
  ])("the name %j is stored as %j", async (given, expected) => {
    const { body } = await append(await create(4, { name: given }), 0, "soup");
    const { url, filename } = JSON.parse(body);
    expect(filename).toBe(expected);
    expect((await load(harness, "dev", url)).body).toBe("soup");
  });

  test("what is said of the type counts nothing", async () => {
    const type = Buffer.from("text/html").toString("base64");
    const given = `filename ${Buffer.from("a.html").toString("base64")},filetype ${type},type ${type}`;
    const made = await ask("POST", "/api/v1/tus", {
      headers: { "upload-length": "4", "upload-metadata": given },
    });
    const { body } = await append(String(made.headers.location), 0, "<b/>");
    const { headers } = await load(harness, "dev", JSON.parse(body).url);
    expect(headers["content-type"]).toBe("application/octet-stream");
    expect(headers["content-disposition"]).toContain("attachment");
  });
});
