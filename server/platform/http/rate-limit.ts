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

/** Where a caller stands; every answer says it. */
export interface Rate {
  limit: number;
  remaining: number;
  /** UNIX seconds, written out: when the window ends. */
  reset: string;
}

/** Past this many addresses in one window, new ones share one count. */
const MAX_ADDRESSES = 100_000;

/**
 * Counts calls in windows that are the same for everybody, so that the end of one frees all that it knew. Each machine counts
 * for itself; the processes of one machine tell each other, so that more of them do not make the limit higher.
 */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  readonly #windowMs: number;
  #endsAt = 0;
  #reset = "";
  readonly #users = new Map<OrganizationId, Map<UserId, number>>();
  readonly #addresses = new Map<string, number>();
  readonly #desk: CounterSync | undefined;

  constructor(limits: RateLimits, now: () => number = Date.now, peers?: RateLimitPeers) {
    this.#limits = limits;
    this.#now = now;
    this.#windowMs = limits.windowSeconds * 1000;
    this.#desk = peers && new CounterSync(peers);
    peers?.onUpdate((news) => this.#hear(news));
  }

  countUser(organizationId: OrganizationId, userId: UserId): Rate {
    this.#turn();
    this.#desk?.user(organizationId, userId, this.#endsAt);
    return this.#rate(this.#limits.perUser, this.#addToUser(organizationId, userId, 1));
  }

  countAddress(address: string): Rate {
    this.#turn();
    const key = this.#addressKey(networkOf(address));
    this.#desk?.address(key, this.#endsAt);
    return this.#rate(this.#limits.perAddress, this.#addToAddress(key, 1));
  }

  /** RATE_LIMIT_HIT for a caller who has had more than the limit. */
  refusal(): ApiError<{ retryAfter: number }> {
    return new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, this.#endsAt - this.#now()) / 1000 });
  }

  /** Less than zero remaining: over the limit. */
  #rate(limit: number, count: number): Rate {
    return { limit, remaining: limit - count, reset: this.#reset };
  }

  #hear({ endsAt, users, addresses }: CounterUpdate): void {
    this.#turn();
    // Of another window: clocks of one machine agree, but a message may be late.
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

  #turn(): void {
    const now = this.#now();
    if (now < this.#endsAt) return;
    this.#endsAt = (Math.floor(now / this.#windowMs) + 1) * this.#windowMs;
    this.#reset = String(Math.ceil(this.#endsAt / 1000));
    this.#users.clear();
    this.#addresses.clear();
    this.#desk?.clear();
  }
}

/** Whoever has one IPv6 address has the 2^64 of its network, too. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}
