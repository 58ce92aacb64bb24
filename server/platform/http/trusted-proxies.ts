import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { ProxyFaults } from "./proxy-faults.ts";

/** Each hop is checked. Nobody has as many proxies. */
const MAX_HOPS = 32;
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The proxies whose X-Forwarded-For is believed. Each proxy adds the address that it got the request from at
 * the right end. So the client is the rightmost address that is no trusted proxy. What is left of it may be
 * forged.
 */
export class TrustedProxies {
  readonly #list = new BlockList();

  readonly #faults: ProxyFaults | undefined;

  /** Addresses and ranges such as `10.0.0.0/8`, which `isProxyRange` accepts. */
  constructor(ranges: readonly string[], faults?: ProxyFaults) {
    this.#faults = faults;
    for (const range of ranges) {
      const [address = "", bits] = range.split("/");
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  /** Whether an address that a connection comes from is a proxy's. */
  includes(address: string): boolean {
    const plain = readAddress(address);
    return plain !== undefined && this.#has(plain);
  }

  /**
   * Leaves only the client's address in the header, or removes the header. So the framework, which reads it
   * too, can only find the right one. The id of a request that is no proxy's is removed too.
   */
  settle(raw: IncomingMessage): void {
    const { headers } = raw;
    if (headers["x-request-id"] !== undefined && !this.includes(raw.socket.remoteAddress ?? ""))
      delete headers["x-request-id"];
    const forwarded = headers["x-forwarded-for"];
    const isFromProxy = this.#faults?.isForPeople(raw) && this.includes(raw.socket.remoteAddress ?? "");
    if (isFromProxy) this.#faults?.look(raw);
    if (forwarded === undefined) return;
    const client = this.#clientOf(raw.socket.remoteAddress ?? "", String(forwarded));
    if (client === undefined) delete headers["x-forwarded-for"];
    else headers["x-forwarded-for"] = client;
  }

  /** undefined: the sender itself. */
  #clientOf(sender: string, forwarded: string): string | undefined {
    let client: string | undefined;
    let proxy = readAddress(sender);
    for (const hop of forwarded.split(",").slice(-MAX_HOPS).reverse()) {
      if (proxy === undefined || !this.#has(proxy)) break;
      const address = readAddress(hop);
      // A proxy that names no address hides the client, so the proxy itself is the best that is known.
      if (address === undefined) break;
      client = address;
      proxy = address;
    }
    return client;
  }

  #has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  }
}

/** Whether it is an address, or a range in CIDR notation. */
export function isProxyRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || address.includes("%") || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Some proxies add a port. IPv4 addresses may be written as IPv6. */
function readAddress(text: string): string | undefined {
  let address = text.trim();
  const withPort = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(address);
  if (withPort) address = (withPort[1] ?? withPort[2]) as string;
  const plain = (IPV4_IN_IPV6.exec(address)?.[1] ?? address).replace(/%.*$/s, "");
  return isIP(plain) === 0 ? undefined : plain;
}
