import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, type HttpOptions, listen } from "./app.ts";
import type { BodyStream } from "./body-stream.ts";
import type { ResumableUploads } from "./tus.ts";

const MAX_BYTES = 100_000;

let directory: string;
let path: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-stream-"));
});
beforeEach(() => {
  path = join(directory, `${Math.random()}`);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const never = () => Promise.reject(new Error("not in this test"));

/** How each writing ended: its bytes, or its error. */
let ends: unknown[];

/** A server that writes bodies to `path`, from the offset on that the client names. */
async function start(
  change: Partial<HttpOptions> = {},
  { flags = "a+", signal = new AbortController().signal } = {},
): Promise<number> {
  ends = [];
  const resumableUploads: ResumableUploads = {
    maxBytes: MAX_BYTES,
    create: never,
    find: never,
    remove: never,
    async append(_viewer, id, position, body: BodyStream) {
      const file = await open(path, flags);
      try {
        const size = await body.writeTo({ file, position, maxBytes: MAX_BYTES, signal });
        ends.push(size);
        return { id, fileName: "a", length: size, offset: size, expiresAt: new Date(), outcome: { size } };
      } catch (error) {
        ends.push(String(error));
        throw error;
      } finally {
        await file.close();
      }
    },
  };
  const app = await createHttp(toys({ resumableUploads, ...change }).options);
  onTestFinished(() => app.close());
  await listen(app, "127.0.0.1", 0);
  return (app.server.address() as AddressInfo).port;
}

function begin(port: number, body: string, { length = 50_000, as = authorization("mia") } = {}): RawClient {
  return new RawClient(port).send(
    `PATCH /api/v1/tus/a HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${as}\r\nTus-Resumable: 1.0.0\r\n` +
      `Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n` +
      `Content-Length: ${length}\r\n\r\n${body}`,
  );
}

const written = async (text: string) => expect.poll(() => readFile(path, "utf8")).toBe(text);

test("a body is written whole, and the connection can be used again", async () => {
  const port = await start();
  const body = "soup".repeat(12_500);
  const client = begin(port, body);
  await client.until(() => client.received.includes('"size":50000'));
  expect((await readFile(path)).toString()).toBe(body);
  client.received = "";
  client.send("GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(200);
  client.socket.destroy();
});

test("what came before the client left stays", async () => {
  const port = await start();
  const client = begin(port, "the beginning");
  await written("the beginning");
  client.socket.destroy();
  await expect.poll(() => ends).toEqual([expect.stringContaining("did not arrive in time")]);
  expect((await readFile(path)).toString()).toBe("the beginning");
});

test("what came from a client that is too slow stays, and the client learns of it", async () => {
  const port = await start({ bodyLimits: { periodMs: 100 } });
  const client = await begin(port, "the beginning", { length: MAX_BYTES }).closed();
  expect(client.status).toBe(408);
  expect((await readFile(path)).toString()).toBe("the beginning");
});

test("a body whose length says that it is too long is refused before any of it is written", async () => {
  const port = await start();
  const client = begin(port, "x".repeat(60_000), { length: MAX_BYTES + 1 });
  await client.until(() => client.received !== "");
  expect(client.status).toBe(413);
  client.socket.destroy();
  expect((await readFile(path)).length).toBe(0);
});

test("the signal ends the writing", async () => {
  const lost = new AbortController();
  const port = await start({}, { signal: lost.signal });
  const client = begin(port, "the beginning");
  await written("the beginning");
  lost.abort();
  await client.until(() => client.received !== "");
  expect(client.status).toBe(408);
  client.socket.destroy();
});

test("a disk that does not take the body is a fault of the server", async () => {
  await rm(path, { force: true });
  await (await open(path, "w")).close();
  const port = await start({}, { flags: "r" });
  const client = begin(port, "x".repeat(50_000));
  await client.until(() => client.received !== "");
  expect(client.status).toBe(500);
  client.socket.destroy();
});

test("a person sends a few bodies at a time, and a place is free when the response is sent", async () => {
  const port = await start({ receivingLimits: { total: 10, perPerson: 1, perNetwork: 3 } });
  const first = begin(port, "soup");
  await written("soup");
  const second = begin(port, "", { length: 0 });
  await second.until(() => second.received !== "");
  expect(second.status).toBe(429);
  first.send("x".repeat(49_996));
  await first.until(() => first.received !== "");
  const third = begin(port, "", { length: 0 });
  await third.until(() => third.received !== "");
  expect(third.status).toBe(200);
  for (const client of [first, second, third]) client.socket.destroy();
});

test("callers without an account get no byte onto the disk", async () => {
  const port = await start();
  const client = begin(port, "soup", { as: "Basic bm9ib2R5OnNvdXA=" });
  await client.until(() => client.received !== "");
  expect([client.status, ends]).toEqual([401, []]);
  expect(client.received).toContain("Tus-Resumable: 1.0.0");
  client.socket.destroy();
});
