import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import pino from "pino";
import { expect, test } from "vitest";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { ForwardedHosts } from "./forwarded-hosts.ts";
import { Hosts } from "./host.ts";

const PUBLIC = "https://toy.test";
const FORWARDED = { "x-forwarded-for": "192.0.2.9" };

/** The organization has the public name and the loopback names, as the first one of real servers. */
async function start(publicUrl: string | undefined, trustedProxies: string[]) {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const server = await startToyServer({ publicUrl, trustedProxies, log });
  const statusOf = async (host: string, headers: Record<string, string>) =>
    (await server.call("GET", "/api/v1/anyone", { headers: { host, ...headers } })).statusCode;
  return { lines, statusOf };
}

test.each<[string, string | undefined, string[], string, Record<string, string>, number, RegExp | undefined]>(
  [
    ["people through the proxy", PUBLIC, ["127.0.0.1"], "toy.test", FORWARDED, 200, undefined],
    ["a command on this machine", PUBLIC, ["127.0.0.1"], "127.0.0.1:9991", {}, 200, undefined],
    [
      "a proxy without Host",
      PUBLIC,
      ["127.0.0.1"],
      "127.0.0.1:9991",
      FORWARDED,
      404,
      /people use toy.test\. Let/,
    ],
    ["a proxy that names itself", PUBLIC, ["127.0.0.1"], "localhost", FORWARDED, 404, /'localhost'/],
    [
      "a proxy that names a block",
      PUBLIC,
      ["127.0.0.1"],
      "backend",
      FORWARDED,
      404,
      /'backend'.*If people use/,
    ],
    ["an unknown host without a proxy", PUBLIC, ["127.0.0.1"], "backend", {}, 404, undefined],
    ["a proxy that nobody named", PUBLIC, ["10.0.0.1"], "127.0.0.1", FORWARDED, 200, /does not name/],
    ["a server without a public address", undefined, ["127.0.0.1"], "127.0.0.1", FORWARDED, 200, undefined],
    [
      "people of this machine",
      "http://localhost:8080",
      ["127.0.0.1"],
      "127.0.0.1",
      FORWARDED,
      200,
      undefined,
    ],
  ],
)("%s", async (_name, publicUrl, proxies, host, headers, status, line) => {
  const { lines, statusOf } = await start(publicUrl, proxies);
  expect(await statusOf(host, headers)).toBe(status);
  expect(await statusOf(host, headers)).toBe(status);
  expect(lines).toEqual(line ? [expect.stringMatching(line)] : []);
  if (line) expect(lines[0]).toMatch(/proxy (at )?127\.0\.0\.1/);
});

test("a host is logged once in an hour, and few of many", () => {
  const lines: string[] = [];
  let now = 0;
  const log = { warn: (line: string) => void lines.push(line) };
  const forwarded = new ForwardedHosts({ publicUrl: PUBLIC, hasProxies: true, log, now: () => now });
  const hosts = new Hosts(PUBLIC);
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, FORWARDED);
  const note = (name: string) => forwarded.note(request, hosts.read(name));
  for (let round = 0; round < 2; round++) for (let n = 0; n < 100; n++) note(`made-up-${n}.test`);
  expect(lines).toHaveLength(20);
  note("localhost");
  note("localhost");
  expect(lines.splice(20)).toEqual([expect.stringContaining("'localhost'")]);
  now = 3600_000;
  note("made-up-0.test");
  expect(lines).toHaveLength(21);
});
