import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";
import { pageFor } from "./page-routes.ts";

let app: Awaited<ReturnType<typeof createHttp>>;
let port: number;

beforeAll(async () => {
  app = await createHttp(
    toys({
      pages: [
        pageFor()(
          {
            method: "POST",
            path: "/form",
            origin: { anyone: "it is a toy" },
            organization: "none",
            session: "none",
          },
          ({ reply }) => reply.send("read"),
        ),
      ],
    }).options,
  );
  await listen(app, "127.0.0.1", 0);
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const MEGABYTE = 1024 * 1024;
const form = { "content-type": "application/x-www-form-urlencoded", host: "toy.test" };
const admitted = { ...form, authorization: authorization("mia") };

/** A client that sends everything before it reads. */
async function sendAllThenRead(head: string, length: number): Promise<RawClient> {
  const client = new RawClient(port);
  client.socket.pause();
  await new Promise<void>((resolve, reject) => {
    client.socket.on("error", reject);
    client.socket.write(head);
    client.socket.write(Buffer.alloc(length, "x"), () => resolve());
  });
  client.socket.resume();
  return client.closed();
}

const headOf = (path: string, headers: Record<string, string>) =>
  `POST ${path} HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

describe("a client that sends a large body sees why it is refused", () => {
  test.each([
    ["too large", "/api/v1/toys", admitted, 413],
    ["without credentials", "/api/v1/toys", form, 401],
    ["to an unknown path", "/api/v1/nothing", admitted, 404],
  ])("%s: with node:http", async (_, path, headers, status) => {
    const length = 10 * MEGABYTE;
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const all = { ...headers, "content-length": length };
      const call = request({ port, path, method: "POST", headers: all }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject).on("end", () => resolve({ status: response.statusCode, text }));
      });
      call.on("error", reject).end(Buffer.alloc(length, "x"));
    });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).result).toBe("error");
  });

  test("with fetch", async () => {
    const body = new URLSearchParams({ to: "x", content: "y".repeat(10 * MEGABYTE) });
    const { authorization: credentials } = admitted;
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/toys`, {
      method: "POST",
      body,
      headers: { authorization: credentials },
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      413,
      "BAD_REQUEST",
    ]);
  });

  test.each([
    ["of a known length", { ...admitted, "content-length": String(10 * MEGABYTE) }, 10 * MEGABYTE],
    ["in one chunk", { ...admitted, "transfer-encoding": "chunked" }, 2 * MEGABYTE],
  ])("with a socket that sends all before it reads, %s", async (_, headers, length) => {
    const isChunked = "transfer-encoding" in headers;
    const head = headOf("/api/v1/toys", headers) + (isChunked ? `${length.toString(16)}\r\n` : "");
    const client = await sendAllThenRead(head, length);
    expect([client.status, client.json.code]).toEqual([413, "BAD_REQUEST"]);
    expect(client.received).toContain("\r\nConnection: close\r\n");
  });

  test("a form of a page", async () => {
    const headers = { ...form, "content-length": String(10 * MEGABYTE) };
    const client = await sendAllThenRead(headOf("/form", headers), 10 * MEGABYTE);
    expect(client.status).toBe(413);
    expect(client.received).toContain("too large");
  });
});

test("the response comes at once, while the body still arrives", async () => {
  const client = new RawClient(port).send(headOf("/api/v1/toys", { ...form, "content-length": "9000000" }));
  await client.until(() => client.received.endsWith("}\n"));
  expect([client.status, client.isClosed]).toEqual([401, false]);
});

test("a body without an end is not read for ever", async () => {
  const client = connect(port, "127.0.0.1");
  const piece = Buffer.alloc(256 * 1024, "x");
  let sent = 0;
  const more = () => {
    while (!client.destroyed && client.write(piece)) sent += piece.length;
  };
  client.on("drain", more).on("error", () => {});
  client.write(headOf("/api/v1/toys", { ...form, "content-length": "9000000000" }));
  more();
  await new Promise((resolve) => client.on("close", resolve));
  expect(sent).toBeLessThan(64 * MEGABYTE);
});

test("after a short body that was refused, the connection can be used again", async () => {
  const headers = { ...form, "content-length": "20000" };
  const client = new RawClient(port).send(headOf("/api/v1/toys", headers) + "x".repeat(20_000));
  await client.until(() => client.received.endsWith("}\n"));
  expect(client.status).toBe(401);
  client.received = "";
  client.send("GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
  await client.until(() => client.received.endsWith("}\n"));
  expect(client.status).toBe(200);
  client.socket.destroy();
});

test("broken chunks after a refusal get no second response", async () => {
  const head = headOf("/api/v1/toys", { ...form, "transfer-encoding": "chunked" });
  const client = new RawClient(port).send(head);
  await client.until(() => client.received.endsWith("}\n"));
  await client.send("xyz\r\n").closed();
  expect(client.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
