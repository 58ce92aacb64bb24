import pino from "pino";
import { expect, test } from "vitest";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { ProxyFaults } from "./proxy-faults.ts";

const PUBLIC = "https://toy.test";
const NAMED = { "x-forwarded-for": "192.0.2.9" };

test.each<[string, string[], Record<string, string>, RegExp[]]>([
  ["all is passed on", ["127.0.0.1"], { host: "toy.test", ...NAMED, "x-forwarded-proto": "https" }, []],
  ["no scheme is named", ["127.0.0.1"], { host: "toy.test", ...NAMED }, []],
  [
    "the client's address is missing",
    ["127.0.0.1"],
    { host: "toy.test" },
    [/^The proxy 127\.0\.0\.1 .*X-For/],
  ],
  [
    "people came without TLS",
    ["127.0.0.1"],
    { host: "toy.test", ...NAMED, "x-forwarded-proto": "http" },
    [/^The proxy 127\.0\.0\.1 says that toy\.test was asked for without TLS/],
  ],
  ["a probe of this machine", ["127.0.0.1"], { host: "127.0.0.1:9991" }, []],
  ["somebody who is no proxy", ["10.0.0.1"], { host: "toy.test", "x-forwarded-proto": "http" }, []],
  ["no proxy is trusted", [], { host: "toy.test", "x-forwarded-proto": "http" }, []],
])("%s", async (_name, trustedProxies, headers, said) => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const server = await startToyServer({ publicUrl: PUBLIC, trustedProxies, log });
  for (let call = 0; call < 2; call++) await server.call("GET", "/api/v1/anyone", { headers });
  expect(lines).toEqual(said.map((line) => expect.stringMatching(line)));
});

function watch() {
  const lines: string[] = [];
  let now = 0;
  const log = { warn: (line: string) => void lines.push(line) };
  const faults = new ProxyFaults({ publicUrl: PUBLIC, log, now: () => now });
  return { lines, faults, later: (ms: number) => (now += ms) };
}

test("held requests that always end after the same time are told, once in an hour", () => {
  const { lines, faults, later } = watch();
  const cut = (times: number) => {
    for (let count = 0; count < times; count++) faults.noteCut(30_000 + (count % 3) * 100);
  };
  cut(9);
  expect(lines).toEqual([]);
  cut(1);
  expect(lines).toEqual([expect.stringMatching(/cut off after 30 s, .*proxy_read_timeout 90s;$/)]);
  cut(30);
  expect(lines).toHaveLength(1);
  later(3600_000);
  cut(10);
  expect(lines).toHaveLength(2);
});

test("people who close their tabs, and clients with a longer patience, are no fault of a proxy", () => {
  const { lines, faults } = watch();
  for (let count = 0; count < 200; count++) {
    faults.noteCut(5_000 + ((count * 7919) % 39_000));
    faults.noteCut(300);
    faults.noteCut(60_000);
  }
  expect(lines).toEqual([]);
});
