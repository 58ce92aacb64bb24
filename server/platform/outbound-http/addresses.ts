/**
 * Which addresses the server may connect to for others. Only addresses of the public internet are
 * open. What an operator allows is open too, except for services that give credentials to everybody who asks.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** Ranges that are no public addresses of one machine. */
const CLOSED_RANGES = [
  // IPv4: this network, private, shared by providers, loopback, link-local, and protocol assignments.
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  // Documentation, relays of 6to4, benchmarks, multicast, reserved with the broadcast address.
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // IPv6 has public addresses in 2000::/3 alone. Parts of these: protocol assignments with Teredo,
  // documentation.
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "3fff::/20",
] as const;

/** Services of clouds that tell a machine its secrets. They stay closed whatever is allowed. */
const ALWAYS_CLOSED = [
  "169.254.169.254/32",
  "169.254.170.2/32",
  "100.100.100.200/32",
  "fd00:ec2::254/128",
] as const;

export type Verdict = "open" | "allowed" | "closed";

/** The rule of one server. */
export class AddressRule {
  readonly #allowed: Ranges;
  readonly #closed = listOf(CLOSED_RANGES);
  readonly #alwaysClosed = listOf(ALWAYS_CLOSED);

  /** `allowed`: addresses and ranges such as 127.0.0.1 or 10.0.0.0/8, checked by `isRange`. */
  constructor(allowed: readonly string[]) {
    this.#allowed = listOf(allowed);
  }

  /** `allowed` is for an address that only the operator's setting opens. */
  judge(address: string): Verdict {
    const inner = innermost(address);
    if (inner === undefined || has(this.#alwaysClosed, inner.address)) return "closed";
    // A network without IPv4 of its own must be named in the setting, or nothing is sent by its translator.
    if (inner.isTranslated && !has(this.#allowed, address)) return "closed";
    if (has(this.#allowed, inner.address)) return "allowed";
    return has(this.#closed, inner.address) ? "closed" : "open";
  }
}

/** Whether a text is an address, or a range of addresses. */
export function isRange(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128);
}

/** One list for each version: in a list of both, IPv4 addresses would match ranges of IPv6 too. */
interface Ranges {
  ipv4: BlockList;
  ipv6: BlockList;
}

function listOf(ranges: readonly string[]): Ranges {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [address = "", length] = range.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (length === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(length), family);
  }
  return lists;
}

function has(ranges: Ranges, address: string): boolean {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  return ranges[family].check(address, family);
}

interface Innermost {
  address: string;
  /** By NAT64 or 6to4, which others operate. */
  isTranslated: boolean;
}

/**
 * The address that a connection reaches in the end: an IPv6 address may hold an IPv4 address. undefined for
 * what is no address, and for one with a zone.
 */
function innermost(address: string): Innermost | undefined {
  if (isIPv4(address)) return { address, isTranslated: false };
  if (!isIPv6(address) || address.includes("%")) return undefined;
  const words = wordsOf(address);
  const [high, low] = words.slice(6) as [number, number];
  const isCompatible = isZero(words, 0, 6) && high !== 0;
  if (isCompatible || (isZero(words, 0, 5) && words[5] === 0xffff)) {
    return { address: ipv4Of(high, low), isTranslated: false };
  }
  const isMappedByTranslator = isZero(words, 0, 4) && words[4] === 0xffff && words[5] === 0;
  if (isMappedByTranslator || (words[0] === 0x64 && words[1] === 0xff9b)) {
    return { address: ipv4Of(high, low), isTranslated: true };
  }
  if (words[0] === 0x2002) {
    return { address: ipv4Of(words[1] as number, words[2] as number), isTranslated: true };
  }
  return { address, isTranslated: false };
}

function isZero(words: readonly number[], from: number, to: number): boolean {
  return words.slice(from, to).every((word) => word === 0);
}

function ipv4Of(high: number, low: number): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** The eight numbers of an IPv6 address. */
function wordsOf(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((word) => word.toString(16)).join(":"),
  );
  const [head = "", tail] = plain.split("::");
  const parse = (part: string) =>
    part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16));
  const [first, last] = [parse(head), parse(tail ?? "")];
  return tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
}
