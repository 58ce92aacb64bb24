import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Person } from "../../../test/harness/toy-api.ts";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import type { HttpOptions } from "./app.ts";
import type { Caller } from "./caller.ts";
import { pageFor } from "./page-routes.ts";

const MARK = "hush";
const page = pageFor<Caller>();
const pages = [
  page({ method: "GET", path: "/doors/:secret", organization: "none", session: "none" }, ({ reply }) =>
    reply.send("open"),
  ),
];

async function start(level: "debug" | "info" | "warn", change: Partial<HttpOptions> = {}) {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => void lines.push(line) });
  const { call } = await startToyServer({ log, pages, trustedProxies: ["10.0.0.0/8"], ...change });
  const own = () =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === "call")
      .map(
        ({
          level: _level,
          time: _time,
          msg: _msg,
          pid: _pid,
          hostname: _hostname,
          requestId,
          ms,
          ...line
        }) => {
          expect([typeof requestId, typeof ms]).toEqual(["string", "number"]);
          return line;
        },
      );
  return { call, lines, own };
}

type Asked = [
  what: string,
  method: string,
  path: string,
  more: InjectOptions & { as?: Person },
  line: object,
];

const form = { "content-type": "application/x-www-form-urlencoded" };
const mia = { organizationId: 1, userId: 3, address: "127.0.0.1" };

const asked: Asked[] = [
  [
    "a call",
    "POST",
    `/api/v1/toys?who=${MARK}`,
    { as: "mia", headers: form, payload: `to=${MARK}&content=${MARK}` },
    { endpoint: "sendToy", status: 200, ...mia },
  ],
  [
    "a name in the path",
    "PATCH",
    `/api/v1/views/${MARK}`,
    { as: "mia" },
    { endpoint: "changeView", status: 200, ...mia },
  ],
  [
    "wrong parameters",
    "POST",
    "/api/v1/toys",
    { as: "mia", headers: form, payload: `to=${MARK}&content=x&name=${MARK.repeat(9)}` },
    { endpoint: "sendToy", status: 400, ...mia },
  ],
  [
    "a role that may not call",
    "GET",
    "/api/v1/owner",
    { as: "mia" },
    { endpoint: "owner", status: 400, ...mia },
  ],
  [
    "a wrong key",
    "GET",
    "/api/v1/toys/1",
    { headers: { authorization: `Basic ${btoa(`${MARK}@toy.test:${MARK}`)}` } },
    { endpoint: "getToy", status: 401, organizationId: 1, address: "127.0.0.1" },
  ],
  [
    "no key",
    "GET",
    "/api/v1/toys/1",
    {},
    { endpoint: "getToy", status: 401, organizationId: 1, address: "127.0.0.1" },
  ],
  [
    "another host",
    "GET",
    "/api/v1/anyone",
    { headers: { host: `${MARK}.test` } },
    { endpoint: "anyone", status: 404, address: "127.0.0.1" },
  ],
  ["no endpoint", "GET", `/api/v1/${MARK}`, {}, { endpoint: "none", status: 404, address: "127.0.0.1" }],
  [
    "a page",
    "GET",
    `/doors/${MARK}?${MARK}`,
    {},
    { endpoint: "GET /doors/:secret", status: 200, address: "127.0.0.1" },
  ],
  ["no page", "GET", `/${MARK}`, {}, { endpoint: "none", status: 404, address: "127.0.0.1" }],
  [
    "a client behind a trusted proxy, which numbers requests",
    "GET",
    "/api/v1/anyone",
    { remoteAddress: "10.0.0.7", headers: { "x-forwarded-for": "192.0.2.9", "x-request-id": "7f.3_a-1" } },
    { endpoint: "anyone", status: 200, organizationId: 1, address: "192.0.2.9", proxyRequestId: "7f.3_a-1" },
  ],
  [
    "a proxy whose number is a text",
    "GET",
    "/api/v1/anyone",
    { remoteAddress: "10.0.0.7", headers: { "x-request-id": `${MARK} ${MARK}` } },
    { endpoint: "anyone", status: 200, organizationId: 1, address: "10.0.0.7" },
  ],
  [
    "somebody who numbers requests and is no proxy",
    "GET",
    "/api/v1/anyone",
    { headers: { "x-request-id": MARK } },
    { endpoint: "anyone", status: 200, organizationId: 1, address: "127.0.0.1" },
  ],
];

test.each(asked)(
  "at debug level the line of %s says who asked for what",
  async (_what, method, path, more, line) => {
    const { call, own, lines } = await start("debug");
    const answer = await call(method, path, more);
    expect(own()).toEqual([line]);
    expect(lines.join("")).toContain(String(answer.headers["x-request-id"] ?? "call"));
    expect(lines.join("")).not.toContain(MARK);
  },
);

test.each(asked)(
  "at info level the line of %s is short, without an address",
  async (_what, method, path, more, line) => {
    const { call, own, lines } = await start("info", { logRequests: 1 });
    await call(method, path, more);
    const { address: _address, proxyRequestId: _id, ...short } = line as Record<string, unknown>;
    expect(own()).toEqual([short]);
    expect(lines.join("")).not.toContain(MARK);
    for (const text of lines) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200);
  },
);

test("requests have no lines unless the operator wants them, and then as many", async () => {
  const none = await start("info");
  const tenth = await start("info", { logRequests: 10 });
  const quiet = await start("warn", { logRequests: 1 });
  for (let count = 0; count < 30; count++) {
    for (const { call } of [none, tenth, quiet]) {
      await call("GET", "/api/v1/anyone");
      await call("GET", "/nowhere");
    }
  }
  expect([none, tenth, quiet].map(({ own }) => own().length)).toEqual([0, 6, 0]);
});
