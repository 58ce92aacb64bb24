import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import pino from "pino";
import { expect, test } from "vitest";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { TrustedProxies } from "./trusted-proxies.ts";
import { UnnamedProxies } from "./unnamed-proxies.ts";

const PUBLIC = "https://toy.test";
const FORWARDED = { "x-forwarded-for": "192.0.2.9" };

test.each<[string, string | undefined, string[], string, Record<string, string>, boolean]>([
  ["a proxy on this machine that nobody named", PUBLIC, [], "127.0.0.1", FORWARDED, true],
  ["a proxy of the network beside one that is named", PUBLIC, ["127.0.0.1"], "10.1.2.3", FORWARDED, true],
  ["a proxy that is named", PUBLIC, ["127.0.0.1"], "127.0.0.1", FORWARDED, false],
  ["a stranger with the header of a proxy", PUBLIC, [], "203.0.113.5", FORWARDED, false],
  ["a command of this machine", PUBLIC, [], "127.0.0.1", {}, false],
  ["a server without a public address", undefined, [], "127.0.0.1", FORWARDED, false],
  ["people of this machine", "http://localhost:8080", [], "127.0.0.1", FORWARDED, false],
])("%s", async (_name, publicUrl, trustedProxies, remoteAddress, headers, isNoticed) => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const server = await startToyServer({ publicUrl, trustedProxies, log });
  for (let call = 0; call < 2; call++)
    await server.call("GET", "/api/v1/anyone", { remoteAddress, headers: { host: "toy.test", ...headers } });
  expect(lines).toEqual(
    isNoticed ? [expect.stringContaining(`Add ${remoteAddress} to PARLEY_TRUSTED_PROXIES`)] : [],
  );
});

test("the sentence comes once in an hour", () => {
  const lines: string[] = [];
  let now = 0;
  const unnamed = new UnnamedProxies({
    publicUrl: PUBLIC,
    proxies: new TrustedProxies(["10.0.0.1"]),
    log: { warn: (line) => void lines.push(line) },
    now: () => now,
  });
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: "10.0.0.2" });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, FORWARDED);
  for (now of [0, 1000, 3599_999, 3600_000]) unnamed.look(request);
  expect(lines).toHaveLength(2);
});
