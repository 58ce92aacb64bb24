import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { LONG_WINDOW_SECONDS, toys } from "../../../test/harness/toy-api.ts";
import { body, startToyServer } from "../../../test/harness/toy-server.ts";
import { createHttp, listen } from "./app.ts";
import { isProxyRange } from "./trusted-proxies.ts";

const proxies = ["127.0.0.1", "10.0.0.0/8", "2001:db8:1::/48", "2001:db8:2::7"];

async function clientOf(sender: string, forwarded: string | undefined, trustedProxies = proxies) {
  const { call } = await startToyServer({ trustedProxies });
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const answer = await call("GET", "/api/v1/anyone", { remoteAddress: sender, headers });
  return (body(answer).given as { address: string }).address;
}

test.each([
  ["one proxy", "10.1.2.3", "192.0.2.9", "192.0.2.9"],
  ["two proxies", "127.0.0.1", "192.0.2.9, 10.0.0.1", "192.0.2.9"],
  ["a forged part", "127.0.0.1", "198.51.100.1, 10.0.0.9, 192.0.2.9", "192.0.2.9"],
  ["a forged part in front of two proxies", "127.0.0.1", "198.51.100.1,192.0.2.9,10.0.0.1", "192.0.2.9"],
  ["only proxies", "127.0.0.1", "10.0.0.2, 10.0.0.1", "10.0.0.2"],
  ["no header", "10.1.2.3", undefined, "10.1.2.3"],
  ["an empty header", "10.1.2.3", "", "10.1.2.3"],
  ["a sender that is no proxy", "192.0.2.1", "198.51.100.1", "192.0.2.1"],
  ["IPv6", "2001:db8:1::5", "2001:db8:9::1, 2001:db8:2::7", "2001:db8:9::1"],
  ["an IPv6 address beside a trusted one", "2001:db8:2::8", "192.0.2.9", "2001:db8:2::8"],
  ["an IPv4 sender in IPv6", "::ffff:10.1.2.3", "192.0.2.9", "192.0.2.9"],
  ["an IPv4 hop in IPv6", "127.0.0.1", "192.0.2.9, ::ffff:10.0.0.1", "192.0.2.9"],
  ["an IPv4 client in IPv6", "127.0.0.1", "::ffff:192.0.2.9", "192.0.2.9"],
  ["ports", "127.0.0.1", "192.0.2.9:4711, 10.0.0.1:80", "192.0.2.9"],
  ["an IPv6 port", "127.0.0.1", "[2001:db8:9::1]:443", "2001:db8:9::1"],
  ["a word", "127.0.0.1", "unknown", "127.0.0.1"],
  ["a word before a proxy", "127.0.0.1", "192.0.2.9, _hidden, 10.0.0.1", "10.0.0.1"],
  ["a broken address", "127.0.0.1", "192.0.2.999", "127.0.0.1"],
  ["an empty hop", "127.0.0.1", "192.0.2.9, , 10.0.0.1", "10.0.0.1"],
  ["too many hops", "127.0.0.1", `192.0.2.9${", 10.0.0.1".repeat(5000)}`, "10.0.0.1"],
])("the client behind %s is found", async (_, sender, forwarded, expected) => {
  expect(await clientOf(sender, forwarded)).toBe(expected);
});

test("without trusted proxies nobody is believed", async () => {
  expect(await clientOf("127.0.0.1", "192.0.2.9", [])).toBe("127.0.0.1");
});

test("several headers count as one list", async () => {
  const app = await createHttp(toys({ trustedProxies: ["127.0.0.0/8", "10.0.0.1"] }).options);
  onTestFinished(() => app.close());
  await listen(app, "127.0.0.1", 0);
  const { port } = app.server.address() as AddressInfo;
  const answer = await new Promise<string>((resolve) => {
    const headers = { host: "toy.test", "x-forwarded-for": ["198.51.100.1", "192.0.2.9", "10.0.0.1"] };
    request({ port, path: "/api/v1/anyone", headers }, (response) => {
      response.setEncoding("utf8").on("data", resolve);
    }).end();
  });
  expect(JSON.parse(answer).given.address).toBe("192.0.2.9");
});

test("people behind one proxy have limits of their own, and a forged part does not change them", async () => {
  const { call } = await startToyServer({
    trustedProxies: proxies,
    rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 5, perAddress: 2 },
  });
  const statusOf = async (forwarded: string) =>
    (await call("GET", "/api/v1/anyone", { headers: { "x-forwarded-for": forwarded } })).statusCode;
  expect(await statusOf("192.0.2.1")).toBe(200);
  expect(await statusOf("198.51.100.1, 192.0.2.1")).toBe(200);
  expect(await statusOf("198.51.100.2, 192.0.2.1")).toBe(429);
  expect(await statusOf("192.0.2.2")).toBe(200);
});

test.each(["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"])("%s is a range", (text) => {
  expect(isProxyRange(text)).toBe(true);
});

test.each([
  "",
  "proxy.example.org",
  "10.0.0",
  "10.0.0.0/33",
  "::/129",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "fe80::1%eth0",
])("'%s' is no range", (text) => {
  expect(isProxyRange(text)).toBe(false);
});
