import type os from "node:os";
import { expect, test } from "vitest";
import { addressOf, browsableAddress } from "./address.ts";

type Interfaces = ReturnType<typeof os.networkInterfaces>;
const entry = { netmask: "", mac: "", cidr: null };
const loopback: Interfaces = { lo: [{ ...entry, address: "127.0.0.1", family: "IPv4", internal: true }] };
const network: Interfaces = {
  ...loopback,
  eth0: [
    { ...entry, address: "fe80::1", family: "IPv6", internal: false, scopeid: 2 },
    { ...entry, address: "192.0.2.7", family: "IPv4", internal: false },
  ],
};

test.each<[string, Interfaces, string]>([
  ["0.0.0.0", network, "http://192.0.2.7:9307"],
  ["::", network, "http://192.0.2.7:9307"],
  ["0.0.0.0", loopback, "http://127.0.0.1:9307"],
  ["::1", network, "http://[::1]:9307"],
  ["10.0.0.7", network, "http://10.0.0.7:9307"],
  ["localhost", network, "http://localhost:9307"],
])("a server that listens on %s is opened at an address that there is", (host, interfaces, url) => {
  expect(browsableAddress(addressOf({ host, tls: undefined }, 9307), () => interfaces)).toBe(url);
});
