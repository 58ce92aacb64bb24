/** Settings that open a server further than most people mean. Each is taken, so only doctor speaks of it. */
import net from "node:net";
import type { Config } from "../../server/config.ts";
import { type Finding, failed, warned } from "./checks.ts";

/** The widest ranges that one network has: 10.0.0.0/8, and fc00::/7 of IPv6. */
const LEAST_BITS = { 4: 8, 6: 7 };

/** One finding for each such setting, and none when all is well. */
export function checkOpenSettings(config: Config): Finding[] {
  return [...proxies(config), ...limits(config), ...outgoing(config), ...plainHttp(config)];
}

function* proxies({ trustedProxies }: Config): Iterable<Finding> {
  const wide = trustedProxies.filter(isWide);
  if (wide.length === 0) return;
  yield failed(
    "proxies-everybody",
    `PARLEY_TRUSTED_PROXIES has ${wide.join(", ")}, so anybody can claim any address, past the limits and in the audit log.`,
    "Name only the address from which your proxy connects, such as 127.0.0.1.",
  );
}

function* limits({ hasRateLimits, isDevelopment }: Config): Iterable<Finding> {
  if (hasRateLimits || isDevelopment) return;
  yield warned(
    "limits-off",
    "PARLEY_RATE_LIMITS is off, so one program can keep the server busy for all people.",
    "Remove the setting. It is for measurements.",
  );
}

function* outgoing({ outgoingAllow }: Config): Iterable<Finding> {
  const wide = outgoingAllow.filter(isWide);
  if (wide.length === 0) return;
  yield warned(
    "outgoing-everywhere",
    `PARLEY_OUTGOING_ALLOW has ${wide.join(", ")}, so people's webhooks reach all of your network, and the addresses at which a cloud gives keys to its machines.`,
    "Name only the addresses that webhooks are to reach.",
  );
}

function* plainHttp({ publicUrl }: Config): Iterable<Finding> {
  if (!publicUrl?.startsWith("http:") || isInside(new URL(publicUrl).hostname)) return;
  yield warned(
    "public-url-plain",
    `PARLEY_PUBLIC_URL is ${publicUrl}, so passwords and messages cross the network readable.`,
    "Let a proxy speak https, or set PARLEY_TLS, and write https in PARLEY_PUBLIC_URL.",
  );
}

function isWide(range: string): boolean {
  const [address = "", bits] = range.split("/");
  const family = net.isIP(address);
  return bits !== undefined && (family === 4 || family === 6) && Number(bits) < LEAST_BITS[family];
}

const inside = new net.BlockList();
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
] as const) {
  inside.addSubnet(network, bits, "ipv4");
}
inside.addAddress("::1", "ipv6");
inside.addSubnet("fc00::", 7, "ipv6");
inside.addSubnet("fe80::", 10, "ipv6");

/** Names that no public name server knows: of one word, or under a name that is reserved for this. */
const INSIDE_NAME = /^[^.]+$|\.(local|localhost|lan|home\.arpa|internal|test)$/i;

function isInside(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = net.isIP(host);
  return family === 0 ? INSIDE_NAME.test(host) : inside.check(host, family === 4 ? "ipv4" : "ipv6");
}
