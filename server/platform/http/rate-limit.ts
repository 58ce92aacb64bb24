import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { CounterSync, type CounterUpdate, type RateLimitPeers } from "./counter-sync.ts";

export interface RateLimits {
  windowSeconds: number;
  /** Calls of one person or bot in a window. */
  perUser: number;
  /** Calls without an account, or with wrong credentials, from one address in a window. */
  perAddress: number;
}

/** Upstream's defaults. */
export const defaultRateLimits: RateLimits = { windowSeconds: 60, perUser: 200, perAddress: 100 };

/** How much of the limit a caller has left. Every response has it in its headers. */
export interface Rate {
  limit: number;
  remaining: number;
  /** When the window ends, as UNIX seconds in decimal. */
  reset: string;
}

/** After this many addresses in one window, new ones share one count. */
const MAX_ADDRESSES = 100_000;

/**
 * Counts calls in windows that are the same for all callers, so that all counts can be dropped at the end of
 * a window. Each machine counts for itself. The processes of one machine exchange their counts, so that more
 * processes do not raise the limit.
 */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  readonly #windowMs: number;
  #endsAt = 0;
  #reset = "";
  #users = new Map<OrganizationId, Map<UserId, number>>();
  #addresses = new Map<string, number>();
  readonly #sync: CounterSync | undefined;

  constructor(limits: RateLimits, now: () => number = Date.now, peers?: RateLimitPeers) {
    this.#limits = limits;
    this.#now = now;
    this.#windowMs = limits.windowSeconds * 1000;
    this.#sync = peers && new CounterSync(peers);
    peers?.onUpdate((update) => this.#receive(update));
  }

  countUser(organizationId: OrganizationId, userId: UserId): Rate {
    this.#startWindow();
    this.#sync?.user(organizationId, userId, this.#endsAt);
    return this.#rate(this.#limits.perUser, this.#addToUser(organizationId, userId, 1));
  }

  countAddress(address: string): Rate {
    this.#startWindow();
    const key = this.#addressKey(networkOf(address));
    this.#sync?.address(key, this.#endsAt);
    return this.#rate(this.#limits.perAddress, this.#addToAddress(key, 1));
  }

  /** RATE_LIMIT_HIT, for a caller over the limit. */
  refusal(): ApiError<{ retryAfter: number }> {
    return new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, this.#endsAt - this.#now()) / 1000 });
  }

  /** A negative `remaining` means that the caller is over the limit. */
  #rate(limit: number, count: number): Rate {
    return { limit, remaining: limit - count, reset: this.#reset };
  }

  #receive({ endsAt, users, addresses }: CounterUpdate): void {
    this.#startWindow();
    // An update of another window is ignored. The processes share a clock, but a message may be late.
    if (endsAt !== this.#endsAt) return;
    for (const [organizationId, userId, count] of users) this.#addToUser(organizationId, userId, count);
    for (const [network, count] of addresses) this.#addToAddress(this.#addressKey(network), count);
  }

  #addToUser(organizationId: OrganizationId, userId: UserId, more: number): number {
    let counts = this.#users.get(organizationId);
    if (!counts) {
      counts = new Map();
      this.#users.set(organizationId, counts);
    }
    const count = (counts.get(userId) ?? 0) + more;
    counts.set(userId, count);
    return count;
  }

  #addToAddress(key: string, more: number): number {
    const count = (this.#addresses.get(key) ?? 0) + more;
    this.#addresses.set(key, count);
    return count;
  }

  #addressKey(network: string): string {
    return this.#addresses.size < MAX_ADDRESSES || this.#addresses.has(network) ? network : "";
  }

  /** Starts a new window if the last one has ended. */
  #startWindow(): void {
    const now = this.#now();
    if (now < this.#endsAt) return;
    this.#endsAt = (Math.floor(now / this.#windowMs) + 1) * this.#windowMs;
    this.#reset = String(Math.ceil(this.#endsAt / 1000));
    // A cleared map would still refer to its old tables' successors (see unordered-list.ts).
    this.#users = new Map();
    this.#addresses = new Map();
    this.#sync?.clear();
  }
}

/** A client with one IPv6 address usually has all 2^64 of its network, so the network is counted. */
export function networkOf(address: string): string {
  return prefixOf(address, 4);
}

/**
 * What one customer of a provider may have at most: of IPv6 a /48, which has 65,536 networks. Mobile networks
 * have many customers in one, so its limits are higher.
 */
export function wideNetworkOf(address: string): string {
  return prefixOf(address, 3);
}

/** So many groups of 16 bits of an IPv6 address. An IPv4 address stays whole. */
function prefixOf(address: string, groupCount: number): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
  }
  return `${groups.slice(0, groupCount).join(":")}::/${groupCount * 16}`;
}
