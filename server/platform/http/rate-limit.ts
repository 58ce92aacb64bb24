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

/** The bots of one person may make as many calls together as this many bots could make alone. */
const BOTS_OF_OWNER = 5;
/**
 * Each bot may make this part of its own calls in any case. Somebody can give another person a bot and still
 * know its key, so the sum must not stop the bots of a colleague. A hundred bots make the sum twice at most.
 */
const SHARE_OF_BOT = 1 / 20;

/** Calls of all bots of one person in a window. */
export function limitOfBots({ perUser }: RateLimits): number {
  return BOTS_OF_OWNER * perUser;
}

type BotsLimit = { retryAfter: number; limit: number; seconds: number };

/** How much of the limit a caller has left. Every response has it in its headers. */
export interface Rate {
  limit: number;
  remaining: number;
  /** When the window ends, as UNIX seconds in decimal. */
  reset: string;
  /** Whether it is the limit of all bots of the caller's owner. */
  isOfAllBots?: boolean;
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
  /** The calls of all bots of a person. */
  #owners = new Map<OrganizationId, Map<UserId, number>>();
  #addresses = new Map<string, number>();
  readonly #sync: CounterSync | undefined;

  constructor(limits: RateLimits, now: () => number = Date.now, peers?: RateLimitPeers) {
    this.#limits = limits;
    this.#now = now;
    this.#windowMs = limits.windowSeconds * 1000;
    this.#sync = peers && new CounterSync(peers);
    peers?.onUpdate((update) => this.#receive(update));
  }

  /**
   * Counts a call of a user. That of a bot with an owner counts for all bots of this person too, if the bot's
   * own limit allows it: so one bot that is over it does not stop the others. The person's own calls do not
   * count there, and the client goes on in which they stop their bots. The rate is the one that ends first.
   */
  countUser(organizationId: OrganizationId, userId: UserId, ownerId?: UserId | null): Rate {
    this.#startWindow();
    this.#sync?.user(organizationId, userId, this.#endsAt);
    const own = this.#rate(this.#limits.perUser, addTo(this.#users, organizationId, userId, 1));
    if (ownerId == null || own.remaining < 0) return own;
    this.#sync?.owner(organizationId, ownerId, this.#endsAt);
    const all = this.#rate(limitOfBots(this.#limits), addTo(this.#owners, organizationId, ownerId, 1));
    const { perUser } = this.#limits;
    const isInShare = perUser - own.remaining <= perUser * SHARE_OF_BOT;
    if (all.remaining < 0 && isInShare) return own;
    return all.remaining < own.remaining ? { ...all, isOfAllBots: true } : own;
  }

  countAddress(address: string): Rate {
    this.#startWindow();
    const key = this.#addressKey(networkOf(address));
    this.#sync?.address(key, this.#endsAt);
    return this.#rate(this.#limits.perAddress, this.#addToAddress(key, 1));
  }

  /** RATE_LIMIT_HIT, for a caller over the limit of this rate. */
  refusal(rate?: Rate): ApiError<{ retryAfter: number }> | ApiError<BotsLimit> {
    const retryAfter = Math.max(1, this.#endsAt - this.#now()) / 1000;
    if (!rate?.isOfAllBots) return new ApiError(errors.rateLimitHit, { retryAfter });
    const { limit } = rate;
    return new ApiError(errors.botsLimitHit, { retryAfter, limit, seconds: this.#limits.windowSeconds });
  }

  /** A negative `remaining` means that the caller is over the limit. */
  #rate(limit: number, count: number): Rate {
    return { limit, remaining: limit - count, reset: this.#reset };
  }

  #receive({ endsAt, users, owners, addresses }: CounterUpdate): void {
    this.#startWindow();
    // An update of another window is ignored. The processes share a clock, but a message may be late.
    if (endsAt !== this.#endsAt) return;
    for (const [organizationId, userId, count] of users) addTo(this.#users, organizationId, userId, count);
    for (const [organizationId, userId, count] of owners) addTo(this.#owners, organizationId, userId, count);
    for (const [network, count] of addresses) this.#addToAddress(this.#addressKey(network), count);
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
    this.#owners = new Map();
    this.#addresses = new Map();
    this.#sync?.clear();
  }
}

/** Returns the new count. */
function addTo(
  all: Map<OrganizationId, Map<UserId, number>>,
  organizationId: OrganizationId,
  userId: UserId,
  more: number,
): number {
  let counts = all.get(organizationId);
  if (!counts) {
    counts = new Map();
    all.set(organizationId, counts);
  }
  const count = (counts.get(userId) ?? 0) + more;
  counts.set(userId, count);
  return count;
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
