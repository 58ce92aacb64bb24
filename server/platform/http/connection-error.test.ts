import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";

let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  app = await createHttp(toys().options);
  await listen(app, "127.0.0.1", 0);
  port = (app.server.address() as AddressInfo).port;
});

afterAll(() => app.close());

const post = "POST /api/v1/toys HTTP/1.1\r\nHost: toy.test\r\n";

describe("what is no request is answered in JSON all the same, and its connection ends", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    [
      "bytes in an address that have no place there",
      "GET /caf\u00e9 HTTP/1.1\r\nHost: toy.test\r\n\r\n",
      400,
    ],
    ["a broken header", "GET / HTTP/1.1\r\nHost: toy.test\r\nbroken\r\n\r\n", 400],
    ["a length that is no number", `${post}Content-Length: abc\r\n\r\n`, 400],
    ["two lengths", `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ["a length and chunks", `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["chunks of no size", `${post}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ["headers without measure", `GET / HTTP/1.1\r\nHost: toy.test\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
    ["an address without measure", `GET /${"x".repeat(200_000)} HTTP/1.1\r\n\r\n`, 414],
  ])("%s", async (_, bytes, status) => {
    const client = await new RawClient(port).send(bytes).closed();
    expect(client.status).toBe(status);
    expect(client.json).toMatchObject({ result: "error", code: "BAD_REQUEST" });
    expect(client.received).toContain("Content-Type: application/json\r\n");
  });
});

describe("odd requests are answered like others", () => {
  const answered = async (bytes: string) => {
    const client = new RawClient(port).send(bytes);
    await client.until(() => client.received.endsWith("}\n"));
    client.socket.destroy();
    return client;
  };

  test("without a Host header there is no organization", async () => {
    const client = await answered("GET /api/v1/anyone HTTP/1.1\r\n\r\n");
    expect([client.status, client.json.code]).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
  });

  test("an expectation is no hindrance", async () => {
    const client = await answered(
      "GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\nExpect: the-best\r\n\r\n",
    );
    expect(client.status).toBe(200);
  });

  test("an absolute address is an address", async () => {
    const client = await answered("GET http://toy.test/api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
    expect(client.status).toBe(200);
  });

  test("a method from elsewhere finds nothing", async () => {
    const client = await answered("PROPFIND /api/v1/toys/1 HTTP/1.1\r\nHost: toy.test\r\n\r\n");
    expect([client.status, client.json.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("a wish for another protocol is passed over", async () => {
    const headers = "Host: toy.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
    const client = await answered(`GET /api/v1/anyone HTTP/1.1\r\n${headers}\r\n`);
    expect(client.status).toBe(200);
  });
});

test("a caller that leaves in the middle of a body harms nobody", async () => {
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
