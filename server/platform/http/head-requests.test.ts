import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";
import { publicFile } from "./page-routes.ts";

let app: Awaited<ReturnType<typeof createHttp>>;
let port: number;
beforeAll(async () => {
  app = await createHttp(toys({ pages: [publicFile("/page", ({ reply }) => reply.send("a page"))] }).options);
  await listen(app, "127.0.0.1", 0);
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const ask = async (method: string, path: string) => {
  const head = `Host: toy.test\r\nAuthorization: ${authorization("mia")}\r\nConnection: close\r\n\r\n`;
  const client = await new RawClient(port).send(`${method} ${path} HTTP/1.1\r\n${head}`).closed();
  const [start = "", ...body] = client.received.split("\r\n\r\n");
  const headers = start.split("\r\n").filter((line) => !/^(?:date|x-request-id):/i.test(line));
  return { headers, body: body.join("\r\n\r\n") };
};

test.each(["/api/v1/toys/1", "/api/v1/anyone", "/api/v1/nothing", "/page", "/health", "/ready", "/none"])(
  "a HEAD of %s has the headers of the GET, its length too, and not a byte of its body",
  async (path) => {
    const got = await ask("GET", path);
    const head = await ask("HEAD", path);
    expect(head).toEqual({ ...got, body: "" });
    expect(got.body.length).toBeGreaterThan(0);
  },
);
