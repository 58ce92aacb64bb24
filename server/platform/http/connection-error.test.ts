import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";

let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  app = await createHttp(toys().options);
  await listen(app, "127.0.0.1", 0);
  port = (app.server.address() as AddressInfo).port;
});

afterAll(() => app.close());

const post = `POST /api/v1/toys HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n`;

describe("input that is not a request gets a JSON error, and its connection is closed", () => {
  test.each([
    ["not HTTP", "hello\r\n\r\n", 400],
    [
      "bytes in an address that have no place there",
      "GET /caf\u00e9 HTTP/1.1\r\nHost: toy.test\r\n\r\n",
      400,
    ],
    ["a broken header", "GET / HTTP/1.1\r\nHost: toy.test\r\nbroken\r\n\r\n", 400],
    ["a length that is not a number", `${post}Content-Length: abc\r\n\r\n`, 400],
    ["two lengths", `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ["a length and chunks", `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["a chunk without a size", `${post}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ["headers over the limit", `GET / HTTP/1.1\r\nHost: toy.test\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
    ["a URL over the limit", `GET /${"x".repeat(200_000)} HTTP/1.1\r\n\r\n`, 414],
  ])("%s", async (_, bytes, status) => {
    const client = await new RawClient(port).send(bytes).closed();
    expect(client.status).toBe(status);
    expect(client.json).toMatchObject({ result: "error", code: "BAD_REQUEST" });
    expect(client.received).toContain("Content-Type: application/json\r\n");
  });
});

describe("unusual requests are answered like others", () => {
  const answered = async (bytes: string) => {
    const client = new RawClient(port).send(bytes);
    await client.until(() => client.received.endsWith("}\n"));
    client.socket.destroy();
    return client;
  };

  test("a request without a Host header finds no organization", async () => {
    const client = await answered("GET /api/v1/anyone HTTP/1.1\r\n\r\n");
    expect([client.status, client.json.code]).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
  });

  test("an `Expect` header is accepted", async () => {
    const client = await answered(
      "GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\nExpect: the-best\r\n\r\n",
    );
    expect(client.status).toBe(200);
  });

  test("an absolute URL is routed by its path", async () => {
    const client = await answered("GET http://toy.test/api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
    expect(client.status).toBe(200);
  });

  test.each([
    ["an absolute URL of another host", "GET http://other.test/api/v1/anyone", "Host: toy.test"],
    ["an absolute URL with a port", "GET http://toy.test:81/api/v1/anyone", "Host: toy.test"],
    ["an absolute URL of another host, for a page", "GET http://other.test/", "Host: toy.test"],
    ["two Host headers", "GET /api/v1/anyone", "Host: toy.test\r\nHost: other.test"],
    ["the same Host twice", "GET /api/v1/anyone", "Host: toy.test\r\nHost: toy.test"],
    ["two Host headers, at an unknown path", "GET /api/v1/nothing", "Host: toy.test\r\nHost: other.test"],
  ])("%s is refused", async (_, line, headers) => {
    const client = new RawClient(port).send(`${line} HTTP/1.1\r\n${headers}\r\n\r\n`);
    await client.until(() => /[}>]\n$/.test(client.received));
    client.socket.destroy();
    expect(client.status).toBe(400);
  });

  test("an absolute URL without a path is the start page", async () => {
    const client = new RawClient(port).send("GET http://Toy.test HTTP/1.1\r\nHost: toy.test\r\n\r\n");
    await client.until(() => client.received.includes("</html>"));
    client.socket.destroy();
    expect(client.status).toBe(404);
  });

  test("an unsupported method finds nothing", async () => {
    const client = await answered("PROPFIND /api/v1/toys/1 HTTP/1.1\r\nHost: toy.test\r\n\r\n");
    expect([client.status, client.json.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("an `Upgrade` header is ignored", async () => {
    const headers = "Host: toy.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
    const client = await answered(`GET /api/v1/anyone HTTP/1.1\r\n${headers}\r\n`);
    expect(client.status).toBe(200);
  });
});

test("a client that disconnects in the middle of a body causes no failure", async () => {
  const headers = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n";
  const leaving = Array.from({ length: 20 }, () => new RawClient(port).send(`${post}${headers}content=`));
  for (const client of leaving) client.socket.end();
  for (const client of leaving) await client.closed();
  const other = new RawClient(port).send("GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
  await other.until(() => other.received.endsWith("}\n"));
  expect(other.status).toBe(200);
  other.socket.destroy();
});

test("thousands of half-open connections do not keep others from being served", async () => {
  const halfOpen = Array.from({ length: 3000 }, () =>
    new RawClient(port).send("GET /api/v1/anyone HTTP/1.1\r\nX: "),
  );
  for (let count = 0; count < 20; count++) {
    const client = new RawClient(port).send("GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
    await client.until(() => client.received.endsWith("}\n"));
    expect(client.status).toBe(200);
    client.socket.destroy();
  }
  for (const client of halfOpen) client.socket.destroy();
});
