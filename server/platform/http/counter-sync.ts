import type { OrganizationId, UserId } from "../../../api/ids.ts";

/** What one process has counted since it last told the others, in the window that ends then. */
export interface CounterUpdate {
  endsAt: number;
  users: [OrganizationId, UserId, number][];
  addresses: [string, number][];
}

/** The other processes that count calls for the same limits. */
export interface RateLimitPeers {
  send(news: CounterUpdate): void;
  /** Of one listener. */
  onUpdate(hear: (news: CounterUpdate) => void): void;
}

/** How far the processes' counts lie apart at most. */
const TELL_EVERY_MS = 250;

/** Gathers counts for a moment, so that telling them costs no message a call. */
export class CounterSync {
  readonly #peers: RateLimitPeers;
  readonly #users = new Map<string, [OrganizationId, UserId, number]>();
  readonly #addresses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(peers: RateLimitPeers) {
    this.#peers = peers;
  }

  user(organizationId: OrganizationId, userId: UserId, endsAt: number): void {
    const key = `${organizationId}/${userId}`;
    const known = this.#users.get(key);
    if (known) known[2]++;
    else this.#users.set(key, [organizationId, userId, 1]);
    this.#schedule(endsAt);
  }

  address(network: string, endsAt: number): void {
    this.#addresses.set(network, (this.#addresses.get(network) ?? 0) + 1);
    this.#schedule(endsAt);
  }

  /** The window has ended: nobody needs to know any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#users.clear();
    this.#addresses.clear();
  }

  #schedule(endsAt: number): void {
    this.#timer ??= setTimeout(() => {
      this.#peers.send({ endsAt, users: [...this.#users.values()], addresses: [...this.#addresses] });
      this.clear();
    }, TELL_EVERY_MS).unref();
  }
}
