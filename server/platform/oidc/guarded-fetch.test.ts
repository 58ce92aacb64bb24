import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeServer, listenOn } from "../../../test/harness/identity-provider.ts";
import { OutboundHttp } from "../outbound-http/outbound-http.ts";
import { guardedFetch } from "./guarded-fetch.ts";

let site: string;
const held: (() => void)[] = [];
const server = createServer((request, response) => {
  if (request.url === "/slow") return;
  if (request.url === "/held") return void held.push(() => response.end("late"));
  if (request.url === "/empty") return void response.writeHead(204).end();
  if (request.url === "/moved") return void response.writeHead(302, { location: "/x" }).end();
  response.setHeader("content-type", "application/json").end(JSON.stringify({ method: request.method }));
});
beforeAll(async () => {
  site = await listenOn(server);
});
afterAll(() => closeServer(server));

const outbound = (perOrganization = 8) =>
  new OutboundHttp({ allowed: ["127.0.0.0/8"], limits: { total: 64, perOrganization } });
const get = { method: "GET", headers: {} };

test("an answer is one of fetch, and a redirect is not followed", async () => {
  const call = guardedFetch(outbound(), 1);
  const answer = await call(`${site}/`, {
    method: "POST",
    headers: {},
    body: new URLSearchParams({ a: "b" }),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { method: "POST" }]);
  expect((await call(`${site}/moved`, get)).status).toBe(302);
});

test("a provider that does not answer is given up", async () => {
  await expect(guardedFetch(outbound(), 1, 100)(`${site}/slow`, get)).rejects.toMatchObject({
    failure: "timeout",
  });
});

test("more calls than may run at once wait their turn", async () => {
  const way = outbound(1);
  const first = guardedFetch(way, 1)(`${site}/held`, get);
  const second = guardedFetch(way, 1)(`${site}/`, get);
  await expect(guardedFetch(way, 1, 60)(`${site}/`, get)).rejects.toMatchObject({ failure: "busy" });
  for (const release of held) release();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
});

test("only the methods of the protocol are used, and a closed address is not called", async () => {
  const call = guardedFetch(outbound(), 1);
  await expect(call(`${site}/`, { method: "DELETE", headers: {} })).rejects.toThrow("DELETE");
  await expect(call("http://10.0.0.1/", get)).rejects.toMatchObject({ failure: "blocked" });
});
