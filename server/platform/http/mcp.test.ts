import { Server } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { authorization, KEY, LONG_WINDOW_SECONDS } from "../../../test/harness/toy-api.ts";
import { body, startToyServer, type ToyServer } from "../../../test/harness/toy-server.ts";
import type { HttpOptions } from "./app.ts";
import { HttpStats } from "./http-stats.ts";
import type { OpenMcpServer } from "./mcp.ts";

const BEARER = `Bearer ${KEY}`;

/** A server without tools. A test with `failure` makes each request fail behind the protocol. */
function open(failure?: Error): OpenMcpServer {
  return async (call, fail) => {
    if (failure) fail(failure);
    const version = JSON.stringify([call.viewer.user.id, call.viewer.client, call.client]);
    return new Server({ name: "toys", version }, { capabilities: { tools: {} } });
  };
}

const start = (change: Partial<HttpOptions> = {}) => startToyServer({ mcp: open(), ...change });

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

function post(
  { call }: ToyServer,
  headers: Record<string, string | undefined> = {},
  message: unknown = INITIALIZE,
) {
  const all: Record<string, string | undefined> = {
    authorization: BEARER,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const payload = typeof message === "string" ? message : JSON.stringify(message);
  return call("POST", "/mcp", { headers: given as Record<string, string>, payload });
}

test("an API key alone identifies its account, and so do Basic credentials", async () => {
  const server = await start();
  for (const credentials of [BEARER, `bearer  ${KEY}`, authorization("mia")]) {
    const answer = await post(server, { authorization: credentials, "user-agent": "Assistant/1.0" });
    expect(answer.statusCode).toBe(200);
    expect(body(answer)).toMatchObject({
      id: 1,
      result: { protocolVersion: "2025-06-18", serverInfo: { version: '[3,"mcp","mcp"]' } },
    });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "content-type": "application/json" });
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
  }
});

test("no other address takes a key alone, not even after it was right here", async () => {
  const server = await start();
  expect((await post(server)).statusCode).toBe(200);
  const refused = await server.call("GET", "/api/v1/user", { headers: { authorization: BEARER } });
  expect([refused.statusCode, body(refused).code]).toEqual([400, "BAD_REQUEST"]);
});

test.each([
  ["no credentials", undefined, "Not logged in: API authentication or user session required"],
  ["a wrong key", `Bearer ${"x".repeat(32)}`, "Invalid API key"],
  [
    "another scheme",
    "Digest abc",
    "Send an API key: as 'Bearer <API key>', or with an email address as Basic.",
  ],
  [
    "words after the key",
    `${BEARER} and more`,
    "Send an API key: as 'Bearer <API key>', or with an email address as Basic.",
  ],
  ["a very long key", `Bearer ${"x".repeat(2000)}`, "Invalid API key"],
])("%s: 401 with what a program can send", async (_, credentials, msg) => {
  const answer = await post(await start(), { authorization: credentials });
  expect([answer.statusCode, body(answer).msg]).toEqual([401, msg]);
  expect(answer.headers["www-authenticate"]).toBe('Bearer realm="parley", Basic realm="parley"');
});

test("pages of other sites are refused, whatever they know", async () => {
  const server = await start();
  for (const origin of ["http://evil.test", "http://toy.test:81", "null", "http://toy.test.evil.test", "x"]) {
    const answer = await post(server, { origin });
    expect([origin, answer.statusCode, body(answer).code]).toEqual([origin, 403, "UNAUTHORIZED"]);
  }
  const crossSite = await post(server, { "sec-fetch-site": "cross-site" });
  expect([crossSite.statusCode, body(crossSite).code]).toEqual([401, "UNAUTHORIZED"]);
  expect((await post(server, { origin: "http://toy.test" })).statusCode).toBe(200);
  // A name that was made to point here is served by no organization.
  const rebound = await post(server, { origin: "http://evil.test", host: "evil.test" });
  expect([rebound.statusCode, body(rebound).code]).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
});

test("a message without an answer gets 202 and nothing else", async () => {
  const answer = await post(await start(), {}, { jsonrpc: "2.0", method: "notifications/initialized" });
  expect([answer.statusCode, answer.body]).toEqual([202, ""]);
});

test("there are no streams and no sessions", async () => {
  const { call } = await start();
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await call(method, "/mcp", { headers: { authorization: BEARER } });
    expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, "POST"]);
  }
});

test("what is no message of the protocol is refused", async () => {
  const server = await start();
  const statuses = [];
  for (const message of [
    "{",
    "",
    "17",
    // Each would be a call that is not counted.
    JSON.stringify([INITIALIZE, INITIALIZE]),
    JSON.stringify({ hello: "there" }),
    "[".repeat(100_000),
  ]) {
    statuses.push((await post(server, {}, message)).statusCode);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400]);
  expect((await post(server, { "content-type": "text/plain" })).statusCode).toBe(415);
  expect((await post(server, { accept: "text/html" })).statusCode).toBe(406);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const withVersion = async (version: string) =>
    (await post(server, { "mcp-protocol-version": version }, ping)).statusCode;
  expect([await withVersion("2025-06-18"), await withVersion("1999-01-01")]).toEqual([200, 400]);
});

test("a message of 128 KiB or of a thousand values is the most that is read", async () => {
  const server = await start();
  const large = (length: number) => ({
    ...INITIALIZE,
    params: { ...INITIALIZE.params, padding: "x".repeat(length) },
  });
  expect((await post(server, {}, large(130_000))).statusCode).toBe(200);
  expect((await post(server, {}, large(140_000))).statusCode).toBe(413);
  const wide = (count: number) => ({
    ...INITIALIZE,
    params: { ...INITIALIZE.params, list: Array(count).fill(1) },
  });
  expect((await post(server, {}, wide(900))).statusCode).toBe(200);
  const refused = await post(server, {}, wide(1000));
  expect([refused.statusCode, body(refused).msg]).toEqual([413, "The request's body is too large."]);
});

test("requests count against the account like calls of the API, and wrong keys against the address", async () => {
  const server = await start({
    rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 3, perAddress: 3 },
  });
  const statuses = [];
  for (let count = 0; count < 2; count++) statuses.push((await post(server)).statusCode);
  statuses.push((await server.call("GET", "/api/v1/user", { as: "mia" })).statusCode);
  const refused = await post(server);
  expect([...statuses, refused.statusCode]).toEqual([200, 200, 200, 429]);
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
  // The first request of all counted against the address too, since the host name was new.
  const wrong = [];
  for (let count = 0; count < 3; count++)
    wrong.push((await post(server, { authorization: `Bearer ${"x".repeat(32)}` })).statusCode);
  expect(wrong).toEqual([401, 401, 429]);
});

test("nobody gets in while the organization is deactivated", async () => {
  const server = await start();
  server.all.state.isDeactivated = true;
  const answer = await post(server);
  expect([answer.statusCode, body(answer).code]).toEqual([401, "REALM_DEACTIVATED"]);
});

test("an unexpected failure is logged once, and the client learns nothing of it", async () => {
  const stats = new HttpStats();
  const server = await start({ mcp: open(new Error("a secret detail")), stats });
  const answer = await post(server);
  expect([answer.statusCode, body(answer).msg]).toEqual([500, "Internal server error"]);
  expect(answer.body).not.toContain("secret");
  expect(server.all.logged.filter((line) => line.includes("a request failed"))).toHaveLength(1);
  expect(stats.calls.get("mcp")?.byClass).toEqual([0, 0, 0, 0, 0, 1]);
});

test("the requests are counted as an operation of their own", async () => {
  const stats = new HttpStats();
  const server = await start({ stats });
  await post(server);
  await post(server, { authorization: `Bearer ${"x".repeat(32)}` });
  expect(stats.calls.get("mcp")?.byClass).toEqual([0, 0, 1, 0, 1, 0]);
});

test("no log line holds a key, a header or what was said", async () => {
  const server = await start();
  await post(server, {}, { ...INITIALIZE, words: "something private" });
  await post(server, { authorization: `Bearer ${"y".repeat(32)}` });
  expect(server.all.logged.join("")).toContain('"endpoint":"mcp"');
  expect(server.all.logged.join("")).not.toMatch(new RegExp(`${KEY}|${"y".repeat(32)}|private`));
});

test("without something to serve, there is nothing at the address", async () => {
  const answer = await post(await start({ mcp: undefined }));
  expect(answer.statusCode).toBe(404);
});

test("hostile messages cost little", async () => {
  const server = await start();
  await post(server);
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 1]));
  const params = (more: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "x", ...more },
  });
  const tookMs: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (const message of [
      params({ _meta: keys(100_000) }),
      params({ arguments: keys(900) }),
      params({ arguments: { list: Array(60_000).fill(1) } }),
      { ...params({}), ...keys(900) },
      { jsonrpc: "2.0", id: 1, result: keys(12_000) },
    ]) {
      const { statusCode } = await post(server, {}, message);
      expect([200, 202, 400, 413]).toContain(statusCode);
    }
    const { user, system } = process.cpuUsage(before);
    tookMs.push((user + system) / 1000);
  }
  // The least of five, since the processor is slower for all who share it.
  expect(Math.min(...tookMs)).toBeLessThan(800);
});
